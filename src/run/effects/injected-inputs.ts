import { getFormatTraits } from "../../agent/format-traits.ts"
import type { ToolContext } from "../../agent/tool.ts"
import type { Json } from "../../ground/message.ts"
import type { RunState } from "../state/state.ts"

/**
 * The inputs that a run gives to the scripts of its definition, by name. One without a value is kept from the model all
 * the same.
 */
export function getInjectedInputs(
  format: string,
  { run, start }: Pick<RunState, "run" | "start">,
): Pick<ToolContext, "injected"> {
  const { injectedInputs: names } = getFormatTraits(format)
  if (!names) return {}
  const { node_text, file_path } = start!.variables
  const values: Readonly<Record<string, Json | undefined>> = {
    node_text,
    node_text_input: node_text,
    target_file: file_path,
    target_file_input: file_path,
    workspace_id: run,
  }
  return { injected: Object.fromEntries(names.map((name) => [name, values[name]])) }
}
