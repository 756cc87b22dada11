import { withReadClaims } from "../../../definitions/authority/read-claims.ts"
import { refuseWhole, type TrustRecord } from "../../../definitions/authority/trust.ts"
import { type CommandContext, defineCommand } from "../command.ts"
import { type ExitCode, exitCode } from "../exit-code.ts"
import { homeOf } from "../settings.ts"
import { askPerson } from "../terminal/ask-person.ts"
import { jsonText } from "../terminal/json-text.ts"
import { table } from "../terminal/table.ts"
import { type Review, reviewJson, reviewOf, reviewText } from "../trust/review.ts"
import { rootOf, standingAt, trustStore } from "../trust/trust.ts"
import { UsageError } from "../usage-error.ts"
import { workspaceOf } from "../workspace.ts"

export const command = defineCommand({
  name: "trust",
  summary: "Show what this project's files may do once trusted, and trust them as they are",
  arguments: [],
  options: {
    yes: { type: "flag", doc: "Trust without asking" },
    revoke: { type: "flag", doc: "Stop trusting this project" },
    list: { type: "flag", doc: "List all trusted projects" },
    json: { type: "flag", doc: "Print JSON. Trusts nothing without --yes" },
  },
  examples: [
    { line: "cadre trust", doc: "See what each file would be allowed to do, and what changed; then answer" },
    { line: "cadre trust --yes", doc: "In a script, for files that you have reviewed" },
    { line: "cadre trust --revoke", doc: "Take it back" },
  ],
  async run({ options, ...context }) {
    if ([options.yes, options.revoke, options.list].filter(Boolean).length > 1)
      throw new UsageError("--yes, --revoke and --list exclude each other.")
    const print = options.json ? "json" : "text"
    if (options.list) return list(print, context)
    if (options.revoke) return revoke(print, context)
    return review(print, options.yes ? "yes" : "ask", context)
  },
})

type Context = Omit<CommandContext, "arguments" | "options">
type Print = "json" | "text"

function list(print: Print, context: Context): ExitCode {
  const records = trustStore(context).list()
  const shown = records.map(({ root, at, files, read = {} }: TrustRecord) => ({
    root,
    at,
    files: [...new Set([...Object.keys(files), ...Object.keys(read)])],
  }))
  if (print === "json") context.stdout.write(jsonText({ trusted: shown }))
  else if (shown.length === 0) context.stdout.write("No project is trusted.\n")
  else {
    const rows = shown.map(({ root, at, files }) => [root, at, String(files.length)])
    context.stdout.write(`${table([["PROJECT", "SINCE", "FILES"], ...rows])}\n`)
  }
  return exitCode.fine
}

function revoke(print: Print, context: Context): ExitCode {
  const root = rootOf(context)
  const revoked = trustStore(context).revoke(root)
  const text = revoked ? `${root} is not trusted any more.` : `${root} was not trusted.`
  context.stdout.write(print === "json" ? jsonText({ root, revoked }) : `${table([[text]])}\n`)
  return exitCode.fine
}

/** What was shown is what is trusted, even if a file changes meanwhile. */
async function review(print: Print, wish: "yes" | "ask", context: Context): Promise<ExitCode> {
  const home = homeOf(context)
  refuseWhole(rootOf(context), home)
  const workspace = workspaceOf(context)
  const standing = await withReadClaims(workspace, standingAt(context, workspace))
  const shown = reviewOf(standing)
  if (print === "text") context.stdout.write(reviewText(shown))
  const granted = shown.isNews && (await answer(print, wish, shown, context)) === "yes"
  if (granted) trustStore(context).grant(standing.root, standing.claims, home)
  const trusted = granted || !shown.isNews
  if (print === "json") context.stdout.write(jsonText({ ...reviewJson(shown), trusted, granted }))
  else if (granted) context.stdout.write("Trusted, as it is now.\n")
  else if (!trusted)
    context.stderr.write("Nothing was trusted. On a terminal you are asked; in a script, give --yes.\n")
  return trusted ? exitCode.fine : exitCode.untrusted
}

async function answer(
  print: Print,
  wish: "yes" | "ask",
  { files, missed }: Review,
  { stdin, isTerminal, stderr }: Context,
): Promise<"yes" | "no"> {
  if (wish === "yes") return "yes"
  if (print === "json" || !isTerminal || !stdin?.isTerminal) return "no"
  const what = files.length === 1 ? "this file" : `these ${files.length} files`
  const without = missed.size === 1 ? "the one that is gone" : `the ${missed.size} that are gone`
  const question =
    missed.size === 0
      ? `Trust ${what}?`
      : files.length === 0
        ? `Go on without ${without}?`
        : `Trust ${what}, and go on without ${without}?`
  return askPerson(stdin, `${question} [y/N] `, (text) => void stderr.write(text))
}
