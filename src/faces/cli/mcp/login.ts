import { isMcpProgram, isMcpServerName } from "../../../agent/mcp-server.ts"
import { getLoginPlace } from "../../../assembly/project/project-servers.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { defaultMcpBounds } from "../../../world/mcp/bounds.ts"
import { expandEntry } from "../../../world/mcp/expand.ts"
import { ServerFailure } from "../../../world/mcp/failure.ts"
import { logIn } from "../../../world/mcp/login/log-in.ts"
import { logOut } from "../../../world/mcp/login/log-out.ts"
import type { RegisteredClient } from "../../../world/mcp/login/login-provider.ts"
import { type ExitCode, exitCode, signalCodes } from "../exit-code.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { placeIn } from "../trust/trust.ts"
import { UsageError } from "../usage-error.ts"
import { type McpContext, openServers, type Print, requireServer } from "./open.ts"

interface Login {
  readonly server: string
  readonly print: Print
  readonly trust: "kept" | "all"
  readonly browser: "on-terminal" | "never"
  readonly scope?: string
  readonly client?: RegisteredClient
  readonly port?: number
}

/** The time that a person has for the login, in milliseconds. */
const patience = 600_000

/** Logs the user in at a server. A browser is opened only on a terminal; the address is always printed. */
export async function logInAt(
  { server, print, trust, browser, ...more }: Login,
  context: McpContext,
): Promise<ExitCode> {
  const { stdout, stderr, environment, isTerminal, stdin, openAddress } = context
  const open = openServers(trust, context)
  const settings = expandEntry(requireServer(open, server).settings, environment)
  if ("missing" in settings)
    throw new UsageError(
      `The entry of ${server} uses environment variables that are not set: ${settings.missing.join(", ")}.`,
    )
  if (isMcpProgram(settings))
    throw new UsageError(
      `${server} is a program on this machine, which needs no login. Only servers with a \`url\` do.`,
    )
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(), patience)
  let signal: Parameters<Parameters<NonNullable<McpContext["onSignal"]>>[0]>[0] | undefined
  const unlisten = context.onSignal?.((received) => {
    signal = received
    ended.abort()
  })
  try {
    const result = await logIn(server, settings, {
      ...more,
      logins: getLoginPlace(placeIn(context)),
      bounds: defaultMcpBounds,
      signal: ended.signal,
      show(address) {
        const mayOpen = browser === "on-terminal" && isTerminal && stdin?.isTerminal === true
        const isOpened = mayOpen && openAddress?.(address) === true
        stderr.write(
          `${isOpened ? "The browser shows the login. If it does not, open" : "To log in, open"} this address:\n  ${escapeText(address)}\n`,
        )
      },
    })
    if (result.type === "not-needed") {
      stdout.write(
        print === "json"
          ? writeJsonText({ server, loggedIn: false, needed: false, tools: result.tools })
          : `${server} needs no login. It has ${result.tools} tools.\n`,
      )
      return exitCode.fine
    }
    const { issuer, scope = null, expires } = result.login
    const until = expires === undefined ? null : new Date(expires).toISOString()
    stdout.write(
      print === "json"
        ? writeJsonText({ server, loggedIn: true, issuer, scope, expires: until, tools: result.tools })
        : escapeText(`Logged in at ${server} by ${issuer}. It has ${result.tools} tools.`).concat("\n"),
    )
    return exitCode.fine
  } catch (error) {
    if (signal !== undefined) return signalCodes[signal]
    if (!(error instanceof ServerFailure)) throw error
    if (print === "json") stdout.write(writeJsonText({ server, loggedIn: false, why: error.message }))
    stderr.write(`${escapeText(`The login at ${server} failed: ${error.message}.`)}\n`)
    return exitCode.problems
  } finally {
    clearTimeout(timer)
    unlisten?.()
  }
}

/** Ends a login. It works for a server that is not configured any more, too. */
export async function logOutAt(
  { server, print }: Pick<Login, "server" | "print">,
  context: McpContext,
): Promise<ExitCode> {
  const { stdout, stderr } = context
  if (!isMcpServerName(server))
    throw new UsageError(`${JSON.stringify(server)} is not a valid name of a server.`)
  const result = await logOut(server, getLoginPlace(placeIn(context)), defaultMcpBounds.message)
  const isRevoked = result.type === "removed" && result.revocation.type === "revoked"
  if (print === "json")
    stdout.write(writeJsonText({ server, loggedOut: result.type === "removed", revoked: isRevoked }))
  else
    stdout.write(result.type === "none" ? `There was no login at ${server}.\n` : `Logged out at ${server}.\n`)
  if (result.type !== "removed" || result.revocation.type === "revoked") return exitCode.fine
  stderr.write(
    `${escapeText(`The tokens could not be revoked, and count until they expire: ${result.revocation.why}.`)}\n`,
  )
  return exitCode.problems
}
