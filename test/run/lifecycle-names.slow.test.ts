import { expect, test } from "vitest"
import { told } from "./lifecycle-names-kit.ts"

test("commands of Claude Code's hooks find a path where they look for it", async () => {
  const command = `grep -q '"file_path":"secret.txt"' && { echo no; exit 2; } || exit 0`
  const hooks = { PreToolUse: [{ matcher: "Read", hooks: [{ type: "command", command }] }] }
  expect(await told(hooks, "Read", { path: "secret.txt" })).toBe("Not permitted: no")
  expect(await told(hooks, "Read", { path: "open.txt" })).toContain("shown")
})
