import fs from "node:fs"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { markerName } from "../../src/world/sandbox/child-environment.ts"
import { findMarkedProcesses } from "../../src/world/sandbox/processes.ts"
import { createBashTool } from "../../src/world/tools/bash.ts"
import { results, world as runtimeWorld } from "../kit.ts"
import { expectNothingLeft, makeWorld, sandboxMissing } from "./kit.ts"

let world: ReturnType<typeof makeWorld>
beforeAll(() => {
  world = makeWorld()
})
afterAll(() => world.remove())

const turn = (command: string, more: object = {}) => ({
  calls: [{ tool: "Bash", input: { command, ...more } }],
})

describe.skipIf(sandboxMissing)("Bash in a run", () => {
  test("210: commands run in the sandbox; their exit codes are evidence", async () => {
    const { runtime, store } = runtimeWorld({
      script: {
        a: [
          turn("echo x > made; d=$(echo .git); echo x > $d/hooks/pre-commit"),
          turn("cat made; cat ~/.ssh/id_rsa"),
          { text: "done" },
        ],
      },
      tools: [createBashTool({ sandbox: "required", home: world.home })],
    })
    const handle = runtime.run("a", "go", { cwd: world.root })
    const { proof, outcome } = await handle.done
    expect(outcome).toEqual({ type: "completed" })
    expect(proof.evidence.commands.map(({ exitCode }) => exitCode)).toEqual([1, 1])
    const [first, second] = await results(store, handle.id)
    expect(first).toContain("Read-only file system")
    expect(second).toMatch(/^x\n/)
    expect(second).not.toContain("the key")
    expect(fs.readdirSync(path.join(world.root, ".git/hooks"))).toEqual([])
  })

  test("84, 85: a cancelled run leaves no process", async () => {
    const { runtime } = runtimeWorld({
      script: { a: [turn("setsid sleep 998 & sleep 999"), { text: "done" }] },
      tools: [createBashTool({ sandbox: "required", home: world.home })],
    })
    const handle = runtime.run("a", "go", { cwd: world.root })
    const marker = `${handle.id}:c1`
    for (let round = 0; round < 100 && findMarkedProcesses(markerName, marker).length < 2; round++)
      await sleep(20)
    expect(findMarkedProcesses(markerName, marker).length).toBeGreaterThanOrEqual(2)
    await handle.cancel("enough")
    await handle.done
    await expectNothingLeft(marker)
  })
})
