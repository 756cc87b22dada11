import { CadreError, knownNames } from "../errors.ts"
import type { Model } from "../model.ts"

/** Finds the model behind a name: one of those given, or `script:FILE`. */
export function modelResolver(models: { readonly [name: string]: Model }): (name: string) => Promise<Model> {
  const opened = new Map<string, Promise<Model>>(
    Object.entries(models).map(([name, model]) => [name, Promise.resolve(model)]),
  )
  return (name) => {
    const known = opened.get(name)
    if (known) return known
    if (!name.startsWith("script:"))
      return Promise.reject(
        new CadreError(
          "MODEL_UNKNOWN",
          `There is no model named ${JSON.stringify(name)}. ${knownNames(name, Object.keys(models))} A scripted one is written script:FILE.`,
        ),
      )
    const script = import("./scripted.ts").then(({ readScript }) => readScript(name.slice("script:".length)))
    opened.set(name, script)
    script.catch(() => opened.delete(name))
    return script
  }
}
