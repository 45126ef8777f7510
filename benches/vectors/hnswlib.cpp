// hnswlib behind a C interface, for `hnswlib.rs`:
//
//     g++ -O3 -march=native -std=c++17 -shared -fPIC -I HEADERS -o libhnswlib.so hnswlib.cpp -lpthread
//
// HEADERS is the folder above `hnswlib/hnswlib.h` (the source distribution of PyPI's hnswlib has it).

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "hnswlib/hnswlib.h"

namespace {

struct Index {
    hnswlib::InnerProductSpace space;
    std::unique_ptr<hnswlib::HierarchicalNSW<float>> graph;
};

}  // namespace

extern "C" {

// Builds an index of `count` vectors `float[count][dims]` of unit length on `threads` threads; null when it fails.
void* hnswlib_build(const float* vectors, size_t count, size_t dims, size_t m, size_t ef_construction,
                    size_t threads) try {
    auto index = std::unique_ptr<Index>(new Index{hnswlib::InnerProductSpace(dims), nullptr});
    index->graph = std::make_unique<hnswlib::HierarchicalNSW<float>>(&index->space, count, m, ef_construction);
    index->graph->addPoint(vectors, 0);
    std::atomic<size_t> next{1};
    std::atomic<bool> failed{false};
    auto work = [&]() {
        try {
            for (size_t at = next++; at < count; at = next++) index->graph->addPoint(vectors + at * dims, at);
        } catch (...) {
            failed = true;
        }
    };
    std::vector<std::thread> others;
    for (size_t thread = 1; thread < threads; ++thread) others.emplace_back(work);
    work();
    for (auto& other : others) other.join();
    return failed ? nullptr : index.release();
} catch (...) {
    return nullptr;
}

// Writes the numbers of the `k` nearest to `found`, in no order; says how many there are.
size_t hnswlib_search(void* index, const float* query, size_t k, size_t ef, uint64_t* found) try {
    auto& graph = *static_cast<Index*>(index)->graph;
    graph.setEf(ef);
    auto nearest = graph.searchKnn(query, k);
    size_t count = 0;
    for (; !nearest.empty(); nearest.pop()) found[count++] = nearest.top().second;
    return count;
} catch (...) {
    return 0;
}

// Bytes that the index holds: vectors, links and labels of layer 0, and the links above it.
size_t hnswlib_bytes(void* index) {
    auto& graph = *static_cast<Index*>(index)->graph;
    size_t bytes = graph.cur_element_count * graph.size_data_per_element_;
    for (size_t at = 0; at < graph.cur_element_count; ++at)
        bytes += graph.element_levels_[at] * graph.size_links_per_element_;
    return bytes;
}

void hnswlib_free(void* index) { delete static_cast<Index*>(index); }
}
