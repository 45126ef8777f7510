"""The package over fictional data: what it returns is what the program answers."""

import concurrent.futures
import json
import os
import subprocess
import tempfile
import unittest

import almoner

PROGRAM = os.environ["ALMONER"]


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True).stdout


class OverFictionalData(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        inputs, cls.data = os.path.join(cls.folder.name, "in"), os.path.join(cls.folder.name, "data")
        run("generate", "--organizations", "500", "--seed", "7", inputs)
        run("build", "--data-dir", cls.data, "--no-semantic", "--quiet", inputs)
        cls.db = almoner.open(cls.data)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def told(self, target):
        return json.loads(run("get", "--data-dir", self.data, target))

    def test_search_is_what_the_program_answers(self):
        found = self.db.search("food", size=3)
        self.assertEqual(found["nonprofits"], self.told("/beta/nonprofits/search?q=food&size=3")["nonprofits"])
        self.assertTrue(found["nonprofits"])

    def test_an_ein_with_or_without_a_dash(self):
        ein = next(self.db.rows())["ein"]
        self.assertEqual(self.db.details(ein), self.told(f"/nonprofits/details/{ein}"))
        self.assertEqual(self.db.details(f"{ein[:2]}-{ein[2:]}"), self.db.details(ein))
        for ask in (self.db.standing, self.db.filings, self.db.people, self.db.grants):
            self.assertIsInstance(ask(ein), dict)

    def test_rows_are_all_of_them_once(self):
        eins = [row["ein"] for row in self.db.rows()]
        self.assertEqual(len(eins), len(set(eins)))
        self.assertEqual(len(eins), self.told("/nonprofits/search")["total"])
        codes = {row["ntee"] for row in self.db.rows(ntee_codes=["K", "L"])}
        self.assertTrue(codes)
        self.assertTrue(all(code.startswith(("K", "L")) for code in codes))

    def test_names_are_completed_and_matched(self):
        row = next(self.db.rows())
        self.assertIn(row["ein"], [one["ein"] for one in self.db.typeahead(row["name"], limit=25)])
        answers = self.db.match([{"name": row["name"], "city": row["city"], "state": row["state"]}] * 501)
        self.assertEqual(len(answers), 501)
        self.assertEqual({answer["ein"] for answer in answers}, {row["ein"]})

    def test_refusals_say_what_was_expected(self):
        with self.assertRaisesRegex(almoner.NotFound, "Nonprofit not found"):
            self.db.details("000000001")
        with self.assertRaisesRegex(almoner.InvalidRequest, "size: .*integer.*'x'"):
            self.db.search("food", size="x")
        with self.assertRaisesRegex(almoner.NotFound, "Not Found"):
            self.db.get("/nothing/there")
        with self.assertRaisesRegex(OSError, "not a data directory"):
            almoner.open(self.folder.name)
        with self.assertRaisesRegex(ValueError, "begins with /"):
            self.db.get("nothing")

    def test_threads_share_a_database(self):
        eins = [row["ein"] for row in self.db.rows()][:50]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertEqual([one["ein"] for one in pool.map(self.db.details, eins)], eins)

    def test_rows_become_an_arrow_table(self):
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            self.skipTest("pyarrow is not installed")
        table = self.db.table(ntee_codes=["K"])
        self.assertEqual(table.num_rows, self.told("/nonprofits/search?ntee_codes=K")["total"])
        self.assertIn("name", table.column_names)


if __name__ == "__main__":
    unittest.main()
