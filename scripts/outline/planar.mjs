// Plane geometry on rings: lists of [x, y] whose last point is the first again.

/** The area that a ring encloses. */
export function area(ring) {
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    sum += ring[i - 1][0] * ring[i][1] - ring[i][0] * ring[i - 1][1];
  }
  return Math.abs(sum) / 2;
}

/** Whether a point lies within the first of the rings and not within its lakes. */
export function inside(rings, x, y) {
  let odd = false;
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [[ax, ay], [bx, by]] = [ring[i - 1], ring[i]];
      if (ay > y !== by > y && x < ax + (bx - ax) * (y - ay) / (by - ay)) odd = !odd;
    }
  }
  return odd;
}

/** How far a point is from the line of a ring. */
export function distance(ring, x, y) {
  let nearest = Infinity;
  for (let i = 1; i < ring.length; i++) {
    const [[ax, ay], [bx, by]] = [ring[i - 1], ring[i]];
    const [dx, dy] = [bx - ax, by - ay];
    const along = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    nearest = Math.min(nearest, Math.hypot(ax + along * dx - x, ay + along * dy - y));
  }
  return nearest;
}
