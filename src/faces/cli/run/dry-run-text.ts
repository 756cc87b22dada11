import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { escapeLines, escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { RuleSet } from "../../../run/log/event-rights.ts"
import { quoteWords } from "../../../world/shell/quote.ts"
import { describeAttachment } from "../attachment-text.ts"
import { describeHooks } from "../explain/hooks-text.ts"
import { describeExplanation, describeValueSource } from "../explain/text.ts"
import { cutToOneLine, formatTable } from "../terminal/table.ts"
import type { DryRunAgent, DryRunDetails, DryRunReport } from "./dry-run-report.ts"

/** The text of a dry run: first whether the run would start, then its agent and task, then everything that it would use. */
export function describeDryRun(report: DryRunReport, base: string): string {
  const { agent, run } = report
  const parts = [
    headLines(report, base).map(escapeLines).join("\n"),
    ...(agent && run
      ? [
          agentLines(agent, run, report, base).map(escapeText).join("\n"),
          describeExplanation(run, base),
          describeHooks(run.hooks, base),
          formatTable([["RIGHTS", "", ""], ...rightsRows(run, base)]),
          formatTable([["SURROUNDINGS", ""], ...surroundingRows(run, base)]),
        ]
      : []),
  ]
  return `${parts.join("\n\n")}\n`
}

function headLines({ starts, exitCode, problems, warnings }: DryRunReport, base: string): readonly string[] {
  return [
    starts ? "The run would start." : `The run would not start (exit code ${exitCode}):`,
    ...problems.map(({ message, file, line, column }) => {
      const place = file === undefined ? "" : ` (${toDisplayPath(file, base)}:${line}:${column})`
      return `- ${message.replaceAll("\n", "\n  ")}${place}`
    }),
    ...warnings.map((warning) => `Note: ${warning}`),
  ]
}

function agentLines(
  { name, format, scope, file, hash, reason, others }: DryRunAgent,
  { depth }: DryRunDetails,
  { task, parents }: DryRunReport,
  base: string,
): readonly string[] {
  const place = (path: string | null) => (path === null ? "written in code" : toDisplayPath(path, base))
  const version = hash === null ? "" : `, sha256 ${hash.slice(0, 12)}`
  return [
    "AGENT",
    `${name} (${format}, ${scope}), ${place(file)}${version}`,
    ...(reason === null ? [] : [`chosen because: ${reason}`]),
    ...others.map((other) => `instead of ${place(other.file)} (${other.scope}, ${other.state})`),
    parents.length === 0
      ? "as a root run"
      : `as a subagent of ${parents.toReversed().join(", subagent of ")}, at depth ${depth}`,
    ...(task === null ? [] : [`task: ${cutToOneLine(task, 200)}`]),
  ]
}

function rightsRows({ rights }: DryRunDetails, base: string): readonly (readonly string[])[] {
  return [
    ["mode", rights.mode, describeValueSource(rights.from, base)],
    ...rights.sets.flatMap((set) => setRows(set)),
  ]
}

function setRows({ of, tools, rules, otherwise }: RuleSet): readonly (readonly string[])[] {
  const lists = (["deny", "ask", "allow"] as const).flatMap((decision) => {
    const patterns = rules.filter((rule) => rule.decision === decision).map(({ tool }) => tool)
    return patterns.length > 0 ? [[decision, patterns.join(", ")] as const] : []
  })
  const whose = tools ? `${of}, for ${tools.join(", ")}` : of
  return [...lists, ["otherwise", otherwise] as const].map(([decision, text], index) => [
    index === 0 ? whose : "",
    decision,
    cutToOneLine(text, 160),
  ])
}

function surroundingRows(run: DryRunDetails, base: string): readonly (readonly string[])[] {
  const { executor, sandbox, trust, place, workflow, fallback, cache, continues, attachments, dedupe } = run
  const { worktree } = place
  const rows: readonly (readonly [string, string | undefined])[] = [
    [
      "run by",
      executor
        ? `the executor ${executor.name}: ${cutToOneLine(quoteWords(executor.command), 160)} (sandbox ${executor.sandbox}, network ${executor.network})`
        : undefined,
    ],
    ["works in", place.cwd],
    [
      "isolation",
      worktree
        ? `a worktree of ${worktree.from} on the branch ${worktree.branch}, from ${worktree.base.slice(0, 12)}`
        : undefined,
    ],
    ["sandbox", `${sandbox.choice}, ${describeValueSource(sandbox.from, base)}${missing(run)}`],
    ["trust", trustText(run)],
    [
      "not trusted",
      trust.untrusted.length > 0
        ? trust.untrusted.map((file) => toDisplayPath(file, base)).join(", ")
        : undefined,
    ],
    [
      "workflow",
      workflow === null
        ? undefined
        : cutToOneLine(typeof workflow === "string" ? workflow : JSON.stringify(workflow), 120),
    ],
    ["fallback", fallback.length > 0 ? fallback.join(", then ") : undefined],
    ["cache", cache ? cacheText(cache) : undefined],
    ["continues", continues ?? undefined],
    ["attached", attachments.length > 0 ? attachments.map(describeAttachment).join("; ") : undefined],
    ["dedupe", dedupe ?? undefined],
  ]
  return rows.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]))
}

const missing = ({ sandbox: { choice, problem } }: DryRunDetails): string =>
  problem === null || choice === "off"
    ? ""
    : `; ${problem}, so commands ${choice === "required" ? "are refused" : "run without it"}`

function trustText({ trust: { root, given, agent, configuration } }: DryRunDetails): string {
  return [
    given === "all" ? `everything in ${root}, by --trust` : `only the trusted files in ${root}`,
    ...(agent === null ? [] : [`the agent is ${agent}`]),
    ...(configuration === "none" ? [] : [`the project's configuration is ${configuration}`]),
  ].join("; ")
}

const cacheText = ({ inputs, recorded }: NonNullable<DryRunDetails["cache"]>): string =>
  `${recorded === null ? "no result is recorded" : `the recorded result of ${recorded} would be returned`}${
    inputs.length > 0 ? `; depends on ${inputs.join(", ")}` : ""
  }`
