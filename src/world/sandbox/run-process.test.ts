import { expect, test } from "vitest"
import { writeLimits } from "./run-process.ts"

test.each([
  [{ fileSize: 1024 }, 512, "ulimit -c 0 2>/dev/null; ulimit -f 2 2>/dev/null; "],
  [{ fileSize: 1025 }, 512, "ulimit -c 0 2>/dev/null; ulimit -f 3 2>/dev/null; "],
  [{ fileSize: 1025 }, 1024, "ulimit -c 0 2>/dev/null; ulimit -f 2 2>/dev/null; "],
  [
    { fileSize: 1024, processes: 9 },
    1024,
    "ulimit -c 0 2>/dev/null; ulimit -f 1 2>/dev/null; ulimit -u 9 2>/dev/null || ulimit -p 9 2>/dev/null; ",
  ],
] as const)("the limits %j in blocks of %d bytes are %j", (limits, block, expected) => {
  expect(writeLimits(limits, block)).toBe(expected)
})
