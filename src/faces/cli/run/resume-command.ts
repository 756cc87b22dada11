import { quoteWords } from "../../../world/shell/quote.ts"
import type { Driving } from "./options.ts"

/** The command that resumes a run, with the options that it was driven with. The log has all others, such as its limits. */
export const resumeLine = (run: string, driving: Driving): string =>
  quoteWords([
    ...["cadre", "resume", run],
    ...(driving.mode ? ["--mode", driving.mode] : []),
    ...(driving.sandbox ? ["--sandbox", driving.sandbox] : []),
    ...(driving.trust === "all" ? ["--trust"] : []),
    ...(driving.asks === "allow" ? ["--yes"] : driving.asks === "deny" ? ["--deny"] : []),
    ...(driving.unattended ? ["--unattended", driving.unattended] : []),
    ...(driving.notify === undefined ? [] : ["--notify", driving.notify]),
    ...(driving.print === "text" ? [] : [`--${driving.print}`]),
  ])
