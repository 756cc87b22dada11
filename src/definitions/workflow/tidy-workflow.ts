import { isMap, type Json, mapOf } from "../../ground/message.ts"

type Values = { readonly [key: string]: Json }

/** A Gobby workflow as a run stores it: without the hooks of its file, and without the keys that say where the file applies. */
export function tidyWorkflow(value: Values): Values {
  const { triggers: _, observers: __, enabled: ___, priority: ____, sources: _____, ...workflow } = value
  const { session_variables, variables, ...rest } = workflow
  return {
    ...rest,
    ...((isMap(session_variables) || isMap(variables)) && {
      variables: { ...mapOf(session_variables), ...mapOf(variables) },
    }),
    format: "gobby",
  }
}
