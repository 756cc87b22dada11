import path from "node:path"
import { describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { git } from "../git-kit.ts"
import { agent } from "./fallback-kit.ts"
import { isolated, placeOf } from "./isolation-kit.ts"

describe("a root that works in a worktree", () => {
  const write = (file: string) => ({ calls: [{ tool: "Write", input: { file_path: file, content: "x\n" } }] })
  const error = { error: { message: "500" } }

  test.each<[string, Partial<AgentInput>, ModelScript[string]]>([
    ["in place, after one that did nothing", {}, [error]],
    ["in place, after one that has written", {}, [write("one.txt"), error]],
    ["in a worktree of its own", { isolation: "worktree" }, [write("one.txt"), error]],
  ])("is followed there by one that would work %s", async (_, more, turns) => {
    const { runtime, store, top } = isolated(
      { one: turns, two: [write("two.txt"), { text: "done" }] },
      [
        agent("one", ["two"], { isolation: "worktree", tools: ["Write"] }),
        agent("two", [], { tools: ["Write"], ...more }),
      ],
      { files: { "src/a.txt": "one\n" } },
    )
    const { id, done } = runtime.run("one", "go", { cwd: path.join(top, "src") })
    const { agent: last, outcome, isolation } = await done
    const place = await placeOf(store, id)
    const files = ["src/one.txt", "src/two.txt"].slice(2 - turns.length)
    expect({ last, outcome, isolation }).toEqual({
      last: "two",
      outcome: { type: "completed" },
      isolation: {
        branch: `cadre/${id}`,
        base: git(top, "rev-parse", "HEAD").trim(),
        path: place,
        commits: 0,
        files: files.map((file) => ({ path: file, status: "untracked" })),
        insertions: files.length,
        deletions: 0,
        kept: "kept",
      },
    })
    expect(git(top, "status", "--porcelain")).toBe("")
  })
})
