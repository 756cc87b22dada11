import path from "node:path"
import type { Agent } from "../../../agent/agent.ts"
import { listNamedServers } from "../../../assembly/project/servers.ts"
import { requireValidConfiguration } from "../../../definitions/authority/effective-configuration.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { CadreError } from "../../../ground/errors.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { findNewBrokenNote } from "../run/broken.ts"
import { conduct } from "../run/conduct.ts"
import { askBeforeLargeRun } from "../run/confirm-large.ts"
import { readRunDepth } from "../run/depth.ts"
import { printFailureJson } from "../run/failure-json.ts"
import { openRuns } from "../run/open.ts"
import {
  drivingOptions,
  readDriving,
  readLimitOptions,
  readVariables,
  resolveFolder,
  resolveScriptModel,
  toProjectAddress,
} from "../run/options.ts"
import { readContinued } from "../run/read-continued.ts"
import { readRequest } from "../run/request.ts"
import { requireTrust, requireUnchanged } from "../run/trust.ts"
import { describeUnfollowedSettings } from "../run/unfollowed-settings.ts"
import { describeUntrustedFiles } from "../run/untrusted-note.ts"
import { findRun } from "../stored-runs/find-run.ts"
import { applyRetention } from "../stored-runs/retention.ts"
import { closeWithTimeout, storeOf } from "../stored-runs/runs.ts"
import { acceptChangedTools } from "../trust/changed-tools.ts"
import { UsageError } from "../usage-error.ts"

export const runAgentCommand = defineCommand({
  name: "run",
  summary: "Run an agent, show its progress, and print its answer",
  arguments: [
    {
      name: "name",
      doc: "The agent. Without it, cadre picks one; then quote the task, so that it is one argument",
      count: "optional",
      complete: "agent",
    },
    {
      name: "task",
      doc: "The task. Default: stdin. A last `-` adds stdin to the task. Not needed for Codex agents, with --node, or for Remora agents with --var",
      count: "any",
    },
  ],
  options: {
    file: { type: "value", value: "FILE", doc: "Read the task from a file", complete: "file" },
    attach: {
      type: "value",
      value: "FILE",
      doc: "Attach an image (PNG, JPEG, GIF, WebP) or a PDF to the task. Repeat the option for more",
      complete: "file",
      repeatable: true,
    },
    model: { type: "value", value: "MODEL", doc: "Use this model instead of the agent's own" },
    "strict-model": { type: "flag", doc: "Fail instead of using another model than the one asked for" },
    timeout: { type: "value", value: "TIME", doc: "Time limit: seconds, or 30s, 5m, 1h" },
    "max-turns": { type: "value", value: "N", doc: "Turn limit" },
    "max-cost": { type: "value", value: "N", doc: "Cost limit for the run and its subagents, in US dollars" },
    var: {
      type: "value",
      value: "NAME=VALUE",
      doc: "Set a variable of the run, such as node_text of a Remora agent. A value that is valid JSON is parsed as JSON",
      repeatable: true,
    },
    node: {
      type: "value",
      value: "PATH::NAME",
      doc: "The code node to work on: PATH::Class.method, or PATH for a whole file. Sets node_text, node_name, node_type and file_path",
      complete: "file",
    },
    input: {
      type: "value",
      value: "NAME=VALUE",
      doc: "Set an input of a pipeline, instead of a task. Inputs that are not strings are parsed as JSON",
      repeatable: true,
    },
    continues: {
      type: "value",
      value: "ID",
      doc: "Continue the conversation of an ended run, with the same agent unless you name another",
    },
    "no-cache": {
      type: "flag",
      doc: "Ignore recorded results of agents with `cache`, in this run and its subagents",
    },
    dedupe: {
      type: "value",
      value: "KEY",
      doc: "Do nothing if a run of this agent with this key is still open",
    },
    cwd: {
      type: "value",
      value: "DIR",
      doc: "The project folder, where the agent works. Default: the current folder",
      complete: "file",
    },
    "dry-run": {
      type: "flag",
      doc: "Start nothing. Show what the run would use, and everything that would stop it",
    },
    parent: {
      type: "value",
      value: "AGENT",
      doc: "With --dry-run: show it as a subagent of this agent. Repeat the option for a longer chain, root first",
      complete: "agent",
      repeatable: true,
    },
    ...drivingOptions,
  },
  examples: [
    { line: 'cadre run code-reviewer "Review src/"', doc: "Run an agent and watch it" },
    {
      line: 'git diff | cadre run code-reviewer "Review this diff:" -',
      doc: "Add stdin to the task",
    },
    {
      line: "cadre run code-reviewer --file task.md --json --deny --timeout 10m",
      doc: "In a script: print one JSON object, and never ask",
    },
    { line: 'cadre run designer "What is wrong here?" --attach screen.png', doc: "Attach an image" },
    { line: "cadre run docstring_agent --node src/x.py::Class.method", doc: "Work on one code node" },
    { line: 'cadre run "/use code-reviewer look at src/"', doc: "Name the agent in the task" },
    { line: 'cadre run tester "Run the tests" --dry-run', doc: "Check first what would happen" },
    { line: 'cadre run --continues ID "And the tests?"', doc: "Ask a follow-up question" },
  ],
  async run({ arguments: { name, task }, options, ...context }) {
    const driving = readDriving(options)
    const parents = options.parent ?? []
    if (parents.length > 0 && !options["dry-run"])
      throw new UsageError("--parent works only with --dry-run: a run from the command line has no parent.")
    return printFailureJson(driving, context, async () => {
      const limits = readLimitOptions(options)
      const variables = (agent?: Agent) => readVariables(options.var ?? [], agent)
      variables()
      const directory = resolveFolder(context.directory, options.cwd)
      const runs = openRuns({ ...context, directory }, storeOf(context), {
        ...driving,
        model: options["strict-model"] ? "strict" : "lenient",
        runs: "new",
      })
      const { workspace, standing, configuration, runtime, store } = runs
      const input = {
        words: name === undefined ? task : [name, ...task],
        file: options.file,
        ...(options.node !== undefined && { node: options.node }),
        ...(options.input && { inputs: options.input }),
        autoRoute: configuration.subagents.autoRoute ? ("on" as const) : ("off" as const),
      }
      const runOptions = {
        limits,
        cwd: directory,
        ...(options.attach && {
          attachments: options.attach.map((file) => ({ path: path.resolve(context.directory, file) })),
        }),
        ...(options.node !== undefined && {
          node: toProjectAddress(directory, context.directory, options.node),
        }),
        ...readRunDepth(context, configuration.limits.maxDepth),
        ...(options["no-cache"] && { cache: "skip" as const }),
        ...(options.dedupe !== undefined && { dedupe: options.dedupe }),
        ...(options.model !== undefined && { model: resolveScriptModel(context.directory, options.model) }),
      }
      try {
        if (options["dry-run"]) {
          const { printDryRun } = await import("../run/dry-run.ts")
          const { continues } = options
          return await printDryRun(
            runs,
            { input: input, continues, parents, options: runOptions, variables, driving },
            context,
          )
        }
        requireValidConfiguration(runs, context.directory)
        const continued =
          options.continues === undefined
            ? undefined
            : await readContinued(store, await findRun(options.continues, context), { ...context, directory })
        const {
          agent,
          task: text,
          reason,
        } = await readRequest({ ...input, ...(continued && { continued }) }, workspace.registry, context)
        requireUnchanged(runs, context.directory, driving.trust)
        if (driving.trust !== "all") requireTrust(agent, workspace.registry, standing, context.directory)
        const large = { agent, limits, workspace, store }
        if ((await askBeforeLargeRun(large, driving, context)) === "leave") return exitCode.problems
        const start = () =>
          conduct(
            runs,
            runtime.run(agent, text, {
              ...runOptions,
              variables: variables(agent),
              ...(continued && { continues: continued.run }),
            }),
            driving,
            context,
            [
              ...findNewBrokenNote(workspace, context, agent),
              ...describeUnfollowedSettings(runs, context),
              ...describeUntrustedFiles(runs, context.directory, driving.trust),
              ...(reason === undefined ? [] : [escapeText(`${agent.name}: ${reason}`)]),
            ],
          )
        const code = await start().catch(async (error) => {
          const isRefused = error instanceof CadreError && error.code === "MCP_TOOLS_CHANGED"
          const asks = isRefused && driving.asks === "person" && driving.print === "text"
          if (asks && (await acceptChangedTools(listNamedServers(runs.parts), context))) return start()
          throw error
        })
        await applyRetention(configuration.retention, context)
        return code
      } finally {
        await closeWithTimeout(runtime)
      }
    })
  },
})
