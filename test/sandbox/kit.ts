import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { expect } from "vitest"
import { buildChildEnvironment, markerName } from "../../src/world/sandbox/child-environment.ts"
import { findSandbox } from "../../src/world/sandbox/find-sandbox.ts"
import type { ProcessResult } from "../../src/world/sandbox/process.ts"
import { findMarkedProcesses } from "../../src/world/sandbox/processes.ts"
import { type CommandInput, runCommand } from "../../src/world/sandbox/run-command.ts"

const sandbox = await findSandbox()

/** Why what needs bubblewrap is not tested here; on CI that is a failure, unless `.ci/run` found that it cannot be had. */
export const sandboxMissing = "problem" in sandbox ? sandbox.problem : undefined
if (sandboxMissing !== undefined) {
  if (process.env.CI && !process.env.CADRE_NO_SANDBOX)
    throw new Error(`The sandbox must be tested on CI, but ${sandboxMissing}.`)
  console.warn(`SKIPPED: nothing in a sandbox is tested, because ${sandboxMissing}.`)
}

/** With bubblewrap and without. */
export const ways: readonly ("required" | "off")[] =
  sandboxMissing === undefined ? ["required", "off"] : ["off"]

/** A home with secrets in it, and a workspace with a repository. */
export function makeWorld(): { folder: string; root: string; home: string; remove(): void } {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-sandbox-")))
  const [root, home] = [path.join(folder, "work"), path.join(folder, "home")]
  for (const place of [path.join(root, ".git/hooks"), path.join(home, ".ssh"), path.join(root, "sub")])
    fs.mkdirSync(place, { recursive: true })
  fs.writeFileSync(path.join(home, ".ssh/id_rsa"), "the key")
  fs.writeFileSync(path.join(home, ".bashrc"), "# mine")
  return { folder, root, home, remove: () => fs.rmSync(folder, { recursive: true, force: true }) }
}

let calls = 0

export async function run(
  world: { root: string; home: string },
  command: string,
  more: Partial<CommandInput> & { marker?: string } = {},
): Promise<ProcessResult & { text: string }> {
  const marker = more.marker ?? `test-${process.pid}:${calls++}`
  const result = await runCommand({
    command,
    cwd: world.root,
    environment: {
      ...buildChildEnvironment(process.env, { root: world.root, marker }),
      HOME: world.home,
    },
    bounds: {
      root: world.root,
      home: world.home,
      network: "none",
      protected: [".git", ".cadre", ".mcp.json"],
    },
    sandbox: "required",
    timeout: 300_000,
    ...more,
  })
  if ("refused" in result) throw new Error(result.refused)
  await expectNothingLeft(marker)
  return { ...result, text: result.head + result.tail }
}

/** Killed processes need a moment to be gone. */
export async function expectNothingLeft(marker: string): Promise<void> {
  for (let round = 0; round < 400 && findMarkedProcesses(markerName, marker).length > 0; round++)
    await new Promise((resolve) => setTimeout(resolve, 25))
  expect(findMarkedProcesses(markerName, marker)).toEqual([])
}
