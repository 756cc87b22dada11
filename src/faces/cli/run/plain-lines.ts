import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { LiveEvent, RunEvent } from "../../../run/log/event.ts"
import { toModelWait } from "../../../run/log/event-model.ts"
import type { Writer } from "../command.ts"
import { cutToOneLine } from "../terminal/table.ts"
import { callText } from "./call-text.ts"
import { describeQuestion } from "./question-text.ts"
import { describeSamplingEnd } from "./sampling-text.ts"
import { stepOf, stepPathText } from "./step-text.ts"
import type { Watcher } from "./watcher.ts"
import { formatDuration, nameOutcome, waitText } from "./words.ts"

/** Prints progress as plain lines, for build logs: one line per start, call, retry, wait and end. Nothing is redrawn. */
export function createPlainLines(stderr: Writer): Watcher {
  const says = createLineTeller()
  return {
    see(event) {
      const line = says(event)
      if (line !== undefined) stderr.write(`${line}\n`)
    },
    note: (line) => stderr.write(`${line}\n`),
    pause() {},
    go() {},
    end() {},
  }
}

function steppedInto(event: RunEvent): string | undefined {
  const step = stepOf(event)
  return step && `step: ${stepPathText(step)}`
}

/** Returns a function that turns an event into one line of safe text. Undefined: the event has no line. */
export function createLineTeller(): (event: LiveEvent) => string | undefined {
  const agents = new Map<string, string>()
  const calls = new Map<string, string>()
  const tools = new Map<string, string>()
  const models = new Map<string, string>()
  const textFor = (event: LiveEvent): string | undefined => {
    const call = "call" in event ? calls.get(`${event.run} ${event.call}`) : undefined
    switch (event.type) {
      case "run-start":
        agents.set(event.run, event.agent)
        return `started: ${event.task || event.opening || ""}`
      case "run-resume":
        return "resumed"
      case "run-release":
        return `interrupted: ${event.reason}`
      case "model-end":
      case "plan-end":
        for (const { id, tool, arguments: text } of event.calls ?? []) {
          tools.set(`${event.run} ${id}`, tool)
          calls.set(`${event.run} ${id}`, callText(tool, text))
        }
        return undefined
      case "hook-end": {
        // The hook changed the call: show the call that runs.
        const key = `${event.run} ${event.call}`
        if (event.verdict.type === "rewrite")
          calls.set(key, callText(tools.get(key) ?? "?", event.verdict.arguments))
        return undefined
      }
      case "model-fallback":
        return `tries the next model: ${event.error.message}`
      case "compaction-start":
        return "summarizes its history"
      case "model-retry":
        return event.until === undefined
          ? `retries in ${formatDuration(event.notBefore - event.at)}: ${event.error.message}`
          : waitText(toModelWait(event, models.get(event.run) ?? "its model"))
      case "model-start":
        models.set(event.run, event.model)
        return undefined
      case "child-start":
        return event.hook
          ? `starts ${event.agent} for the hook ${event.hook.hook}`
          : `calls ${call ?? event.call}`
      case "tool-start":
        return `calls ${call ?? event.call}`
      case "moment-end":
        return steppedInto(event)
      case "tool-end":
        return event.result.status === "ok"
          ? steppedInto(event)
          : `${event.result.status}: ${call ?? event.call}: ${event.result.text}`
      case "approval-start":
        return event.question
          ? describeQuestion(event.question)
          : `needs approval for ${event.call}: ${call ?? ""}`
      case "approval-end":
        return event.answer
          ? `call ${event.call} was answered: ${event.answer.action}`
          : `call ${event.call} was ${event.decision === "allow" ? "approved" : "denied"}`
      case "sampling-ask":
        return `${event.request.from} asks the model in ${call ?? event.call}`
      case "sampling-retry":
        return `retries in ${formatDuration(event.notBefore - event.at)}: ${event.error.message}`
      case "sampling-end":
        return describeSamplingEnd(event)
      case "run-end":
        return event.cached
          ? `${nameOutcome(event.outcome)} from the cache: the result of run ${event.cached.run}`
          : // The summary of the root says why it ended so.
            event.run.includes(".")
            ? nameOutcome(event.outcome)
            : event.outcome.type
      default:
        return undefined
    }
  }
  return (event) => {
    const line = textFor(event)
    if (line === undefined) return undefined
    const below = event.run.includes(".") ? event.run.slice(event.run.indexOf(".")) : ""
    return escapeText(`${agents.get(event.run) ?? "?"}${below} ${cutToOneLine(line, 160)}`)
  }
}
