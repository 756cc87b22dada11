import type { Call, Message } from "../../message.ts"
import { layoutOf, thinkingText } from "./anthropic-layout.ts"
import { objectText, quoted } from "./json.ts"

/** What stands before the first block of a message that follows one of the other role. */
export const turnOf = {
  user: ']},{"role":"user","content":[',
  assistant: ']},{"role":"assistant","content":[',
}

const written = new WeakMap<Message, Buffer>()

/**
 * A message as a turn of its own, with `turnOf` before it and without its end; empty where it has nothing to
 * say. It is written once in its life.
 */
export function turnBytes(message: Message): Buffer {
  const known = written.get(message)
  if (known !== undefined) return known
  const blocks = blocksOf(message)
  const turn = turnOf[message.role === "assistant" ? "assistant" : "user"]
  const bytes = Buffer.from(blocks.length === 0 ? "" : turn + blocks.join(","))
  written.set(message, bytes)
  return bytes
}

/** Calls have a result each, or the provider refuses the history for ever. */
export const missingResult = ({ wire }: Call): Buffer =>
  Buffer.from(turnOf.user + resultText(wire, "No result was recorded for this call.", true))

/** A name the provider takes, also for a call whose tool nobody has. */
export const usableName = (name: string): string =>
  name === "" ? "unknown" : name.replaceAll(/[^\w-]/g, "_").slice(0, 128)

function blocksOf(message: Message): readonly string[] {
  switch (message.role) {
    case "user":
      return [textBlock(message.text) ?? '{"type":"text","text":"(empty)"}']
    case "tool":
      return [resultText(message.wire, message.text, message.isError === true)]
    case "assistant": {
      let [characters, calls] = [0, 0]
      const blocks = layoutOf(message).map((part) => {
        switch (part.type) {
          case "text":
            characters += part.length
            return textBlock(message.text.slice(characters - part.length, characters))
          case "call":
            return callText(message.calls[calls++]!)
          default:
            return thinkingText(part)
        }
      })
      return blocks.filter((block) => block !== undefined)
    }
  }
}

/** Text without a word in it is refused. */
const textBlock = (text: string): string | undefined =>
  text.trim() === "" ? undefined : `{"type":"text","text":${quoted(text)}}`

const callText = (call: Call): string =>
  `{"type":"tool_use","id":${quoted(call.wire)},"name":${quoted(usableName(call.tool))},` +
  `"input":${objectText(call.arguments)}}`

/** Blank content is refused in some places and may be left out in all. */
function resultText(wire: string, text: string, isError: boolean): string {
  const content = text.trim() === "" ? "" : `,"content":${quoted(text)}`
  return `{"type":"tool_result","tool_use_id":${quoted(wire)}${content}${isError ? ',"is_error":true' : ""}}`
}
