import type { ModelScript } from "../../src/world/models/scripted.ts"
import { agentControlTools } from "../../src/world/tools/subagents.ts"
import { expectSound, results, world } from "../kit.ts"

/** A runtime in which runs can deal with each other. */
export const around = (script: ModelScript, more: Partial<Parameters<typeof world>[0]> = {}) => {
  const [, ...others] = agentControlTools()
  return world({ script, ...more, tools: [...(more.tools ?? []), ...others] })
}

export const use = (name: string, input: object = {}) => ({ tool: name, input })
export const start = (agent: string, prompt = "x") => use("Agent", { agent, prompt, background: true })
export const hand = (agent: string, prompt = "x") => use("Agent", { agent, prompt })

/** Ids without the random part. */
export const short = (texts: readonly string[]) => texts.map((text) => text.replace(/[0-9a-z]{26}/g, "R"))

export async function run(script: ModelScript, more?: Partial<Parameters<typeof world>[0]>) {
  const { runtime, store } = around(script, more)
  const handle = runtime.run("lead", "go")
  const result = await handle.done
  await expectSound(store, handle.id)
  return { result, store, id: handle.id, texts: short(await results(store, handle.id)) }
}
