/** The process that runs scripts. It holds no secrets and no files, and may die at any time. */
import { createInterface } from "node:readline"
import { describeThrown } from "../../../ground/errors.ts"
import type { JsonMap } from "../../../ground/message.ts"
import { createScriptFailure } from "../result.ts"
import { runJavaScript } from "./javascript.ts"
import type { EngineAnswer, EngineReply, EngineRequest, EngineStart } from "./protocol.ts"
import { runPython } from "./python.ts"

let answered: ((answer: EngineAnswer) => void) | undefined

const input = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
input.on("line", (line) => {
  const request = JSON.parse(line) as EngineRequest
  if (request.type === "answer") answered?.(request)
  else void run(request)
})
// Its cadre has ended.
input.on("close", () => process.exit(0))
reply({ type: "ready" })

async function run(start: EngineStart): Promise<void> {
  // Only the interpreter of Python writes snapshots. Without its answers, a script would repeat its calls.
  if (start.language !== "python" && start.snapshot !== undefined) return reply({ type: "snapshot-refused" })
  try {
    const runIt = start.language === "python" ? runPython : runJavaScript
    const result = await runIt(start, ask, () => reply({ type: "loaded" }))
    reply(result === "refused" ? { type: "snapshot-refused" } : { type: "end", result })
  } catch (error) {
    reply({
      type: "end",
      result: createScriptFailure("INTERNAL", `The interpreter failed: ${describeThrown(error)}`),
      isSpent: true,
    })
  }
}

function ask(name: string, input: JsonMap, snapshot?: string): Promise<EngineAnswer> {
  const answer = new Promise<EngineAnswer>((resolve) => {
    answered = resolve
  })
  reply({ type: "external", name, input, ...(snapshot !== undefined && { snapshot }) })
  return answer
}

function reply(message: EngineReply): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}
