import path from "node:path"
import type { Agent } from "../../../agent/agent.ts"
import { requireSound } from "../../../definitions/authority/followed-configuration.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { defineCommand } from "../command.ts"
import { brokenNote } from "../run/broken.ts"
import { conduct } from "../run/conduct.ts"
import { readContinued } from "../run/continued.ts"
import { depthOf } from "../run/depth.ts"
import { tellingFailure } from "../run/failure-json.ts"
import { openRuns } from "../run/open.ts"
import { drivingOf, drivingOptions, folderOf, limitsOf, modelOf, variablesOf } from "../run/options.ts"
import { readRequest } from "../run/request.ts"
import { requireTrust, requireUnchanged } from "../run/trust.ts"
import { unfollowedNotes } from "../run/unfollowed-settings.ts"
import { untrustedNote } from "../run/untrusted-note.ts"
import { findRun } from "../stored-runs/find-run.ts"
import { applyRetention } from "../stored-runs/retention.ts"
import { closeSoon, storeOf } from "../stored-runs/runs.ts"
import { UsageError } from "../usage-error.ts"

export const command = defineCommand({
  name: "run",
  summary: "Run an agent, show what it does, and print what it answers",
  arguments: [
    {
      name: "name",
      doc: "The agent; left out, the router decides, and the task is one argument in quotes",
      count: "optional",
      complete: "agent",
    },
    {
      name: "task",
      doc: "What it is to do; left out, it is read from stdin; agents of Codex, and of Remora with --var, need none. A last `-` adds stdin to it",
      count: "any",
    },
  ],
  options: {
    file: { type: "value", value: "FILE", doc: "Read the task from a file", complete: "file" },
    attach: {
      type: "value",
      value: "FILE",
      doc: "Show the model a picture (PNG, JPEG, GIF, WebP) or a PDF with the task; repeat it for several",
      complete: "file",
      repeatable: true,
    },
    model: { type: "value", value: "MODEL", doc: "The model, in place of the definition's" },
    "strict-model": { type: "flag", doc: "Fail where a model is not the one that was asked for" },
    timeout: { type: "value", value: "TIME", doc: "How long it may take: seconds, or 30s, 5m, 1h" },
    "max-turns": { type: "value", value: "N", doc: "How many turns it may take" },
    "max-cost": { type: "value", value: "N", doc: "What it and everything below it may cost, in US dollars" },
    var: {
      type: "value",
      value: "NAME=VALUE",
      doc: "Set a variable of the run, such as node_text of a Remora agent; what is JSON is read as JSON",
      repeatable: true,
    },
    input: {
      type: "value",
      value: "NAME=VALUE",
      doc: "Give an input of a pipeline in place of a task; what is no text by its type is read as JSON",
      repeatable: true,
    },
    continues: {
      type: "value",
      value: "ID",
      doc: "Go on with what an ended run has read and said, by its agent unless another is named",
    },
    "no-cache": {
      type: "flag",
      doc: "Work the result out, here and below, where an agent with `cache` has a recorded one",
    },
    dedupe: {
      type: "value",
      value: "KEY",
      doc: "Start nothing while a run of the agent with this key has not ended",
    },
    cwd: {
      type: "value",
      value: "DIR",
      doc: "Where it works and its agents are looked for",
      complete: "file",
    },
    "dry-run": {
      type: "flag",
      doc: "Start nothing: tell what the run would have, and all that would keep it from starting",
    },
    parent: {
      type: "value",
      value: "AGENT",
      doc: "With --dry-run: as a child of that agent; several from the root down",
      complete: "agent",
      repeatable: true,
    },
    ...drivingOptions,
  },
  examples: [
    { line: 'cadre run code-reviewer "Review src/"', doc: "Run an agent in front of you" },
    {
      line: 'git diff | cadre run code-reviewer "Review this diff:" -',
      doc: "Add what is piped in to the task",
    },
    {
      line: "cadre run code-reviewer --file task.md --json --deny --timeout 10m",
      doc: "In a script: one JSON object, and nobody to ask",
    },
    { line: 'cadre run designer "What is wrong here?" --attach screen.png', doc: "Show it a picture" },
    { line: 'cadre run "/use code-reviewer look at src/"', doc: "Name the agent in the task" },
    { line: 'cadre run tester "Run the tests" --dry-run', doc: "Look before you start it" },
    { line: 'cadre run --continues ID "And the tests?"', doc: "Ask whoever has already read it all" },
  ],
  async run({ arguments: { name, task }, options, ...context }) {
    const driving = drivingOf(options)
    const parents = options.parent ?? []
    if (parents.length > 0 && !options["dry-run"])
      throw new UsageError("--parent is for --dry-run: a run of its own has no parent.")
    return tellingFailure(driving, context, async () => {
      const limits = limitsOf(options)
      const variables = (agent?: Agent) => variablesOf(options.var ?? [], agent)
      variables()
      const directory = folderOf(context.directory, options.cwd)
      const runs = openRuns({ ...context, directory }, storeOf(context), {
        ...driving,
        model: options["strict-model"] ? "strict" : "lenient",
        runs: "new",
      })
      const { workspace, standing, configuration, runtime, store } = runs
      const given = {
        words: name === undefined ? task : [name, ...task],
        file: options.file,
        ...(options.input && { inputs: options.input }),
        autoRoute: configuration.subagents.autoRoute ? ("on" as const) : ("off" as const),
      }
      const said = {
        limits,
        cwd: directory,
        ...(options.attach && {
          attachments: options.attach.map((file) => ({ path: path.resolve(context.directory, file) })),
        }),
        ...depthOf(context, configuration.limits.maxDepth),
        ...(options["no-cache"] && { cache: "skip" as const }),
        ...(options.dedupe !== undefined && { dedupe: options.dedupe }),
        ...(options.model !== undefined && { model: modelOf(context.directory, options.model) }),
      }
      try {
        if (options["dry-run"]) {
          const { dryRun } = await import("../run/dry-run.ts")
          const { continues } = options
          return await dryRun(runs, { given, continues, parents, options: said, variables, driving }, context)
        }
        requireSound(runs, context.directory)
        const continued =
          options.continues === undefined
            ? undefined
            : await readContinued(store, findRun(options.continues, context), { ...context, directory })
        const {
          agent,
          task: text,
          reason,
        } = await readRequest({ ...given, ...(continued && { continued }) }, workspace.registry, context)
        requireUnchanged(runs, context.directory, driving.trust)
        if (driving.trust !== "all") requireTrust(agent, workspace.registry, standing, context.directory)
        const handle = runtime.run(agent, text, {
          ...said,
          variables: variables(agent),
          ...(continued && { continues: continued.run }),
        })
        const code = await conduct(runs, handle, driving, context, [
          ...brokenNote(workspace, context.directory, agent),
          ...unfollowedNotes(runs, context),
          ...untrustedNote(runs, context.directory, driving.trust),
          ...(reason === undefined ? [] : [escapeText(`${agent.name}: ${reason}`)]),
        ])
        await applyRetention(configuration.retention, context)
        return code
      } finally {
        await closeSoon(runtime)
      }
    })
  },
})
