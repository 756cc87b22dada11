import type { ToolContext } from "../../agent/tool.ts"
import { hostFunctions } from "../../definitions/scripts/host-functions.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import type { EngineAnswer } from "./engine/protocol.ts"
import { callHost, type ScriptHost } from "./externals.ts"
import { createScriptFailure } from "./result.ts"
import type { AnswerCall, AnsweredCall, PausedScript } from "./run-script.ts"

/** The recorded part of a script, and the way in which its external calls are answered from now on. */
export interface Journal {
  readonly resume: Pick<PausedScript, "answers" | "snapshot">
  readonly external: AnswerCall
}

/** One external call in the notes of a tool call: when it started, and when it was answered. */
type ScriptNote =
  | {
      readonly part: number
      readonly started: { readonly name: string; readonly input: JsonMap }
      readonly snapshot?: string
    }
  | { readonly part: number; readonly answered: AnsweredCall }

/**
 * Records every external call of a script in the notes of its tool call. After a crash, answers are replayed. A call
 * that had started is made again if that changes nothing, or else ends the script. `part`: the number of the script,
 * because context providers belong to the same call.
 */
export function openJournal(part: number, host: ScriptHost): Journal {
  const { context } = host
  const notes = (context.notes ?? []).flatMap(readNote).filter((note) => note.part === part)
  const answers = notes.flatMap((note) => ("answered" in note ? [note.answered] : []))
  const last = notes.at(-1)
  const started = last && "started" in last ? last : undefined
  return {
    resume: { answers, ...(started?.snapshot !== undefined && { snapshot: started.snapshot }) },
    external: async ({ index, name, input, snapshot }) => {
      const { afterCrash = "repeat" } = hostFunctions[name] ?? {}
      const wasStarted = started !== undefined && index === answers.length
      if (wasStarted && afterCrash === "never")
        return {
          type: "failed",
          failure: createScriptFailure(
            "INTERRUPTED",
            `The process died while ${name} ran ${JSON.stringify(input).slice(0, 500)}. Its outcome is unknown, and it is not made again.`,
          ),
        }
      if (!wasStarted && isChange(name))
        await note(
          context,
          { part, started: { name, input }, ...(snapshot !== undefined && { snapshot }) },
          "synced",
        )
      const answer: EngineAnswer = { type: "answer", ...(await callHost(name, input, host)) }
      await note(context, { part, answered: { name, input, answer } }, "stored")
      return answer
    },
  }
}

const isChange = (name: string): boolean => ["Write", "Bash"].includes(hostFunctions[name]?.tool ?? "")

const note = async (context: ToolContext, value: ScriptNote, until: "stored" | "synced"): Promise<void> =>
  context.note?.(value as unknown as Json, until)

function readNote(note: Json): readonly ScriptNote[] {
  if (!isMap(note) || typeof note.part !== "number") return []
  return isMap(note.started) || isMap(note.answered) ? [note as unknown as ScriptNote] : []
}
