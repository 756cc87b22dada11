import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, expect } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { Tool } from "../../src/agent/tool.ts"
import type { RunOptions, RuntimeParts } from "../../src/run/face/runtime.ts"
import type { ResultCache } from "../../src/run/ports/recorded-result.ts"
import { createMemoryCache } from "../../src/world/cache/memory-cache.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { world } from "../kit.ts"

const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-cache-")))
afterAll(() => fs.rmSync(base, { recursive: true, force: true }))
export const folder = () => fs.mkdtempSync(path.join(base, "case-"))

export const cached: AgentInput = { name: "a", instructions: "You are a.", cache: true }
export const says: ModelScript = { a: [{ text: "the answer" }] }

export interface Setting {
  readonly script?: ModelScript
  readonly agents?: readonly AgentInput[]
  readonly tools?: readonly Tool[]
  readonly runtime?: Partial<RuntimeParts>
  readonly task?: string
  readonly options?: RunOptions
}

/** Runs the same twice, each in a runtime and a store of its own that share nothing but the cache. */
export async function twice(
  first: Setting,
  second: Setting = first,
  cache: ResultCache = createMemoryCache(),
) {
  const ended = []
  for (const { script = says, agents = [cached], tools = [], runtime = {}, task = "go", options } of [
    first,
    second,
  ]) {
    const opened = world({ script, agents, tools, runtime: { cache, ...runtime } })
    ended.push(await opened.runtime.run("a", task, { cwd: base, ...options }).done)
  }
  return ended
}

export const isHit = async (...given: Parameters<typeof twice>): Promise<boolean> => {
  const [first, second] = await twice(...given)
  expect(second!.cached).toEqual(second!.cached && { run: first!.run })
  return second!.cached !== undefined
}
