import type { Model, ModelSource } from "../src/model.ts"

/** Models by name alone; the default is called `script`. */
export const named = (open: (name: string) => Promise<Model>): ModelSource => ({
  async settle({ choice, parent }) {
    const inherited = parent ?? [{ name: "script" }]
    const uses =
      choice === undefined || choice === "inherit" ? inherited : [{ name: String(choice ?? "script") }]
    return { uses, resolved: "", warnings: [] }
  },
  open: (use) => open("name" in use ? use.name : use.model),
  redact: (text) => text,
})
