import type { Model, ModelSource } from "../src/agent/model.ts"
import { type ModelScript, scriptedModel } from "../src/world/models/scripted.ts"
import { createModelSource } from "../src/world/models/source.ts"

/** One model that says what a script says, and nothing else that the machine may have. */
export const scripted = (script: ModelScript): ModelSource =>
  createModelSource({ models: { script: scriptedModel(script) }, defaultModel: "script", environment: {} })

/** Models by name alone; the default is called `script`. */
export const named = (open: (name: string) => Promise<Model>): ModelSource => ({
  async resolve({ choice, parent }) {
    const inherited = parent ?? [{ name: "script" }]
    const uses =
      choice === undefined || choice === "inherit" ? inherited : [{ name: String(choice ?? "script") }]
    return { uses, warnings: [] }
  },
  open: (use) => open("name" in use ? use.name : use.model),
  register: () => "registered",
  keepsSecrets: () => true,
  redact: (text) => text,
})
