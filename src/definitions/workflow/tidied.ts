import { isMap, type Json, mapOf } from "../../ground/message.ts"

type Values = { readonly [key: string]: Json }

/** A workflow of Gobby's as a run keeps it, whoever names it: without what says for whom its file holds besides. */
export function tidied(value: Values): Values {
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
