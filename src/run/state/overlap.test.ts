import { expect, test } from "vitest"
import type { IsolationReport } from "../../agent/isolation.ts"
import { compareChanges } from "./overlap.ts"

const report = (...files: readonly [path: string, status?: string][]) =>
  ({ files: files.map(([path, status = "modified"]) => ({ path, status })) }) as unknown as IsolationReport

test("what several children changed in worktrees of their own is told of the later ones", () => {
  const one = report(["a"], ["b"])
  const first = compareChanges([], "r.1", one)
  expect(first).toEqual({ isolation: one, changes: [{ run: "r.1", files: ["a", "b"] }] })
  const other = report(["b"], ["c"])
  const second = compareChanges(first.changes, "r.2", other)
  expect(second).toEqual({
    isolation: { ...other, overlaps: [{ path: "b", run: "r.1" }] },
    changes: [...first.changes, { run: "r.2", files: ["b", "c"] }],
  })
  const third = report(["b"], ["a"])
  expect(compareChanges(second.changes, "r.3", third).isolation.overlaps).toEqual([
    { path: "a", run: "r.1" },
    { path: "b", run: "r.1" },
    { path: "b", run: "r.2" },
  ])
})

test("what no merge brings is in nobody's way", () => {
  const earlier = [{ run: "r.1", files: ["a", "b"] }]
  const ignored = report(["a", "ignored"], ["b", "in-submodule"])
  expect(compareChanges(earlier, "r.2", ignored)).toEqual({ isolation: ignored, changes: earlier })
  expect(compareChanges([], "r.2", report(["a", "ignored"], ["c"])).changes).toEqual([
    { run: "r.2", files: ["c"] },
  ])
})
