import fs from "node:fs"
import path from "node:path"
import { defineAgent } from "../../src/agent/agent.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import type { Runtime } from "../../src/run/face/runtime.ts"
import type { Store } from "../../src/run/log/store.ts"
import { openaiModel } from "../../src/world/models/wire/openai.ts"
import { builtInTools } from "../../src/world/tools/built-in.ts"

/** The settings that all processes of a soak share. */
export interface Places {
  /** Everything lies below it, and every process names it. */
  readonly base: string
  readonly runs: string
  readonly work: string
  readonly temporary: string
  /** The address of the model server. */
  readonly url: string
}

export const placesIn = (base: string, url: string): Places => ({
  base,
  runs: path.join(base, "runs"),
  work: path.join(base, "work"),
  temporary: path.join(base, "tmp"),
  url,
})

/** Makes the folders. */
export function prepare({ runs, work, temporary }: Places): void {
  for (const folder of [runs, work, temporary]) fs.mkdirSync(folder)
}

/**
 * `editor` changes files and runs commands, `lead` hands that to two others, `careful` waits for a person, `slow` is
 * cancelled while its command runs.
 */
export const kinds = ["editor", "editor", "lead", "careful", "slow"] as const
export type Kind = (typeof kinds)[number]

export function openSoakRuntime(places: Places, store: Store): Runtime {
  return createRuntime({
    store,
    agents: [
      ...["editor", "lead", "slow"].map((name) => defineAgent({ name, instructions: `You are ${name}.` })),
      defineAgent({
        name: "careful",
        instructions: "You are careful.",
        rules: [{ tool: "Bash", decision: "ask" }],
      }),
    ],
    tools: builtInTools({ root: places.work }),
    models: {
      soak: openaiModel({ model: "soak", baseUrl: places.url, apiKey: "key", idleTimeout: 1_500 }),
    },
  })
}
