import { openProject } from "../../../assembly/project/open-project.ts"
import { listNamedServers } from "../../../assembly/project/servers.ts"
import { requireValidConfiguration } from "../../../definitions/authority/effective-configuration.ts"
import { addReadClaims } from "../../../definitions/authority/read-claims.ts"
import { refuseHomeOrRoot, type TrustRecord } from "../../../definitions/authority/trust.ts"
import { type CommandContext, defineCommand } from "../command.ts"
import { type ExitCode, exitCode } from "../exit-code.ts"
import { getHomeFolder } from "../settings.ts"
import { askPerson } from "../terminal/ask-person.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { formatTable } from "../terminal/table.ts"
import { reviewTools } from "../trust/changed-tools.ts"
import { type Review, reviewJson, reviewOf, reviewText } from "../trust/review.ts"
import { openTrustStore, placeIn, projectRootOf, readStandingAt } from "../trust/trust.ts"
import { UsageError } from "../usage-error.ts"
import { openWorkspaceAt } from "../workspace.ts"

export const trustCommand = defineCommand({
  name: "trust",
  summary: "Show what this project's files may do once trusted, and trust them as they are",
  arguments: [],
  options: {
    yes: { type: "flag", doc: "Trust without asking" },
    revoke: { type: "flag", doc: "Stop trusting this project" },
    list: { type: "flag", doc: "List all trusted projects" },
    server: {
      type: "value",
      value: "NAME",
      doc: "Instead of this project: show what changed in the tools of an MCP server, and accept them",
    },
    json: { type: "flag", doc: "Print JSON. Trusts nothing without --yes" },
  },
  examples: [
    { line: "cadre trust", doc: "See what each file would be allowed to do, and what changed; then answer" },
    { line: "cadre trust --yes", doc: "In a script, for files that you have reviewed" },
    { line: "cadre trust --revoke", doc: "Take it back" },
    { line: "cadre trust --server github", doc: "Accept the changed tools of an MCP server" },
  ],
  async run({ options, ...context }) {
    if ([options.yes, options.revoke, options.list].filter(Boolean).length > 1)
      throw new UsageError("Use only one of --yes, --revoke and --list.")
    const print = options.json ? "json" : "text"
    if (options.server !== undefined) {
      if (options.revoke || options.list) throw new UsageError("Use --server without --revoke and --list.")
      return acceptServer(options.server, print, options.yes ? "yes" : "ask", context)
    }
    if (options.list) return list(print, context)
    if (options.revoke) return revoke(print, context)
    return review(print, options.yes ? "yes" : "ask", context)
  },
})

type Context = Omit<CommandContext, "arguments" | "options">
type Print = "json" | "text"

function list(print: Print, context: Context): ExitCode {
  const records = openTrustStore(context).list()
  const projects = records.map(({ root, at, files, read = {} }: TrustRecord) => ({
    root,
    at,
    files: [...new Set([...Object.keys(files), ...Object.keys(read)])],
  }))
  if (print === "json") context.stdout.write(writeJsonText({ trusted: projects }))
  else if (projects.length === 0) context.stdout.write("No project is trusted.\n")
  else {
    const rows = projects.map(({ root, at, files }) => [root, at, String(files.length)])
    context.stdout.write(`${formatTable([["PROJECT", "SINCE", "FILES"], ...rows])}\n`)
  }
  return exitCode.fine
}

function revoke(print: Print, context: Context): ExitCode {
  const root = projectRootOf(context)
  const revoked = openTrustStore(context).revoke(root)
  const text = revoked ? `${root} is no longer trusted.` : `${root} was not trusted.`
  context.stdout.write(print === "json" ? writeJsonText({ root, revoked }) : `${formatTable([[text]])}\n`)
  return exitCode.fine
}

/** Shows the changed tools of a server and asks. The answer is for the tools as they were shown. */
async function acceptServer(
  server: string,
  print: Print,
  wish: "yes" | "ask",
  context: Context,
): Promise<ExitCode> {
  const project = openProject({ ...placeIn(context), trust: "kept", runs: "new" })
  const servers = listNamedServers(project.parts)
  // An entry with an error is no server: its error is the reason.
  if (!servers.some(({ name }) => name === server)) requireValidConfiguration(project, context.directory)
  const answer = await reviewTools(servers, server, wish, context)
  const texts = {
    accepted: `Accepted the tools of ${server}. If they change again, you will be asked again.`,
    nothing: `${server} has no changed tools that wait for you. A run finds changes when it starts the server.`,
    left: `Nothing was accepted. Run \`cadre trust --server ${server}\` on a terminal to be asked, or use --yes in a script.`,
  }
  if (print === "json")
    context.stdout.write(
      writeJsonText({ server, accepted: answer === "accepted", waiting: answer === "left" }),
    )
  else (answer === "left" ? context.stderr : context.stdout).write(`${texts[answer]}\n`)
  return answer === "left" ? exitCode.untrusted : exitCode.fine
}

/** Shows the files and asks. The answer is for the files as they were shown, even if one changes meanwhile. */
async function review(print: Print, wish: "yes" | "ask", context: Context): Promise<ExitCode> {
  const home = getHomeFolder(context)
  refuseHomeOrRoot(projectRootOf(context), home)
  const workspace = openWorkspaceAt(context)
  const standing = await addReadClaims(workspace, readStandingAt(context, workspace))
  const changes = reviewOf(standing)
  if (print === "text") context.stdout.write(reviewText(changes))
  const granted = changes.isNews && (await answer(print, wish, changes, context)) === "yes"
  if (granted) openTrustStore(context).grant(standing.root, standing.claims, home)
  const trusted = granted || !changes.isNews
  if (print === "json") context.stdout.write(writeJsonText({ ...reviewJson(changes), trusted, granted }))
  else if (granted) context.stdout.write("Trusted. If a trusted file changes, you will be asked again.\n")
  else if (!trusted)
    context.stderr.write(
      "Nothing was trusted. Run `cadre trust` on a terminal to be asked, or use --yes in a script.\n",
    )
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
  const without = missed.size === 1 ? "the missing file" : `the ${missed.size} missing files`
  const question =
    missed.size === 0
      ? `Trust ${what}?`
      : files.length === 0
        ? `Continue without ${without}?`
        : `Trust ${what}, and continue without ${without}?`
  return askPerson(stdin, `${question} [y/N] `, (text) => void stderr.write(text))
}
