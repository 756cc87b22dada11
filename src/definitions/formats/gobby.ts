import { agentModes } from "../../agent/agent.ts"
import { anyText, type ValueType } from "../../ground/keys.ts"
import type { Values } from "./document/document.ts"
import {
  anyType,
  defineAllowedToolsField,
  defineExtensionField,
  defineLimitField,
  defineModelNameField,
  defineSameField,
  flagType,
  listType,
  mapType,
  markForOwnRun,
  textType,
  wordsType,
} from "./fields/common.ts"
import type { Field, FieldReading } from "./fields/field.ts"
import { defineForeignOutputField } from "./fields/output.ts"
import { definePartField, readAgentPart, writeAgentPart } from "./fields/part.ts"
import type { Format } from "./format.ts"
import { gobbyEffects } from "./gobby-effects.ts"
import { gobbyParts, trimPrompt } from "./gobby-parts.ts"
import { reportSteps } from "./gobby-steps.ts"

/** Gobby's agents of all its generations, up to September 2026. */
export const gobby: Format = {
  id: "gobby",
  title: "Gobby",
  doc: "Agents of Gobby, of all its generations: YAML with lifecycle variables, limits, prompts in sections and workflow steps.",
  locations: {
    project: [".gobby/agents"],
    user: [".gobby/agents"],
    depth: "nested",
    extensions: [".yaml", ".yml"],
  },
  name: { pattern: /./, message: (name) => `invalid agent name \`${name}\``, file: "default" },
  instructions: "optional",
  instructionsKey: null,
  unknownKeys: "ignored",
  defaults(draft) {
    draft.limits = { timeout: 120_000, maxTurns: 10 }
  },
  fields: [
    {
      ...defineSameField("name", "name", textType, "The name of the agent."),
      otherwise: "the name of the file",
    },
    {
      ...optional(defineSameField("description", "description", anyText, "The purpose of the agent.")),
      write: ({ description }) => description || undefined,
    },
    markForOwnRun({
      ...defineModelNameField("The name of the model. `null` is the default model.", orNull(textType)),
      write: ({ model }) => (typeof model === "string" || model === null ? model : undefined),
    }),
    optional(
      defineSameField(
        "reasoning_effort",
        "effort",
        { type: "either", of: [textType, { type: "number" }] },
        "The reasoning effort of the model.",
      ),
    ),
    allowedTools(),
    definePartField("blocked_tools", "tools.deny", orNull(wordsType), "Tools it may not use."),
    definePartField(
      "blocked_mcp_tools",
      "tools.deny",
      orNull(wordsType),
      "Tools of MCP servers that it may not use, as `server:tool` or `server:*`.",
    ),
    limitOrNone("timeout", "timeout", "120", "The timeout in seconds; 0 is no limit of its own.", 1_000),
    limitOrNone("max_turns", "maxTurns", "10", "The most turns of a run; 0 is no limit of its own."),
    definePartField(
      "lifecycle_variables",
      "variables",
      orNull(mapType),
      "Initial values of variables for its hooks. They override the other two keys; null is a value.",
    ),
    definePartField(
      "default_variables",
      "variables",
      orNull(mapType),
      "Initial values of variables for its hooks and workflow.",
    ),
    {
      ...definePartField(
        "workflows",
        "variables",
        orNull(mapType),
        "`variables`, which override the default ones, or workflows by name. Selectors of rules and skills are kept and have no effect.",
      ),
      effect: gobbyEffects.workflows,
    },
    optional(
      defineSameField(
        "inherit_variables",
        "inheritVariables",
        wordsType,
        "Variables that take their current values from the parent run.",
      ),
    ),
    optional(
      defineSameField(
        "call_variables",
        "callVariables",
        wordsType,
        "Variables that a model may set when it calls the agent.",
      ),
    ),
    {
      ...optional(
        defineSameField(
          "lifecycle",
          "lifecycle",
          textType,
          "A named hook set that replaces the hooks of the project.",
        ),
      ),
      aliases: ["lifecycle_workflow"],
    },
    definePartField("workflow", "workflow", orNull(textType), "A workflow by name; null for none."),
    definePartField(
      "default_workflow",
      "workflow",
      orNull(textType),
      "The one of `workflows` that is used if `workflow` names none.",
    ),
    definePartField(
      "step_workflow",
      "workflow",
      orNull(mapType),
      "A workflow written out: `steps`, `variables`, `exit_condition`.",
    ),
    definePartField("steps", "workflow", orNull(listType), "The steps of a workflow written out."),
    definePartField(
      "step_variables",
      "workflow",
      orNull(mapType),
      "The initial values of the variables of the steps.",
    ),
    definePartField("exit_condition", "workflow", orNull(textType), "When the steps are done."),
    definePartField(
      "isolation",
      "isolation",
      orNull({ type: "choice", of: ["none", "current", "inherit", "worktree", "clone", ""] }),
      "`worktree`: the agent works in a git worktree of its own. `none`, `current` and `inherit`: it works in the folder of its caller. `clone` is not supported yet: such an agent does not start.",
    ),
    {
      ...definePartField(
        "skills",
        "skills",
        orNull({ type: "either", of: [wordsType, mapType] }),
        "Skills to load before the first turn. Skills by occasion are kept and not loaded.",
      ),
      effect: gobbyEffects.skills,
    },
    {
      ...definePartField(
        "prompts",
        "instructions",
        orNull(mapType),
        "`agent`: the whole system prompt. `persona`: the system prompt if the file has no other instructions.",
      ),
      effect: gobbyEffects.prompts,
    },
    definePartField(
      "role",
      "instructions",
      orNull(anyText),
      "The role of the agent: a section of the system prompt.",
    ),
    definePartField(
      "goal",
      "instructions",
      orNull(anyText),
      "The goal of the agent: a section of the system prompt.",
    ),
    definePartField(
      "personality",
      "instructions",
      orNull(anyText),
      "The behaviour of the agent: a section of the system prompt.",
    ),
    definePartField(
      "instructions",
      "instructions",
      orNull(anyText),
      "The instructions of the agent: a section of the system prompt.",
    ),
    {
      ...defineExtensionField(
        "gobby",
        "enabled",
        orNull(flagType),
        "`false`: Gobby does not offer the agent, and cadre hides it.",
      ),
      into: "hidden",
    },
    definePartField(
      "mode",
      "mode",
      orNull({ type: "choice", of: [...agentModes] }),
      "`headless`: the agent gets a run of its own. `self`: the run that calls it activates it. `terminal` and `embedded` are not supported: such an agent does not start. The mode of its first workflow overrides this one.",
    ),
    keptHere("terminal", textType, "The terminal that Gobby opens for it."),
    keptHere("provider", anyText, "The command line tool that Gobby runs it in."),
    fallbackAgent(),
    keptHere("api_base", textType, "The address where Gobby finds its model."),
    apiToken(),
    keptHere("reasoning_required", flagType, "`true`: its model must be able to reason."),
    keptHere("base_branch", textType, "The branch that its worktree or clone starts from."),
    keptHere("branch_prefix", textType, "The beginning of the names of its branches."),
    keptHere("sandbox", mapType, "The rights of the agent in Gobby's sandbox."),
    keptHere("skill_profile", mapType, "The skills that Gobby lists for the agent."),
    keptHere("surfaces", wordsType, "The ways Gobby can use the agent: `spawn`, `persona`."),
    keptHere("sources", wordsType, "The programs it is meant for."),
    keptHere("priority", { type: "number" }, "The rank of the agent among others."),
    keptHere("version", anyType, "The version of the file."),
    defineForeignOutputField("gobby", "Gobby"),
  ] as readonly Field<never>[],
  finish(draft, values, reading) {
    for (const part of gobbyParts) readAgentPart(part, "gobby", draft, values)
    if (values.enabled === false) draft.hidden = true
    reportDifferences(values, reading)
    reportSteps(values, reading)
  },
  amend(values, agent) {
    for (const part of gobbyParts) writeAgentPart(part, "gobby", agent, values)
    // The instructions of a file without any are its description.
    if (agent.instructions === trimPrompt(agent.description) && !agent.extensions?.gobby?.prompts)
      delete values.prompts
  },
}

/** Gobby accepts null for every optional key. */
function orNull(type: ValueType): ValueType {
  return { type: "either", of: [type, { type: "null" }] }
}

function optional(field: Field): Field {
  return {
    ...field,
    type: orNull(field.type),
    read: (draft, value, reading) => {
      if (value !== null) field.read(draft, value, reading)
    },
  }
}

/** Gobby names one fallback. Null, which means none, is kept. */
function fallbackAgent(): Field {
  const field = defineExtensionField(
    "gobby",
    "fallback_agent",
    orNull(textType),
    "The agent that gets the task when this one has failed.",
  )
  return {
    ...field,
    into: "fallback",
    read: (draft, value, reading) => {
      if (typeof value === "string") draft.fallback = [value]
      else field.read(draft, value, reading)
    },
    write: (agent, writing) => agent.fallback?.[0] ?? field.write(agent, writing),
  }
}

/** A key that only Gobby acts on. */
function keptHere(key: keyof typeof gobbyEffects, type: ValueType, doc: string): Field {
  return defineExtensionField("gobby", key, orNull(type), doc, gobbyEffects[key])
}

function allowedTools(): Field<string | string[]> {
  return {
    ...defineAllowedToolsField(
      "The tools the agent may use; `all` is every tool that the tree may use.",
      "gobby",
    ),
    key: "allowed_tools",
    type: { type: "either", of: [{ type: "choice", of: ["all"] }, wordsType] },
    read: (draft, value) => {
      if (Array.isArray(value)) draft.tools = { mode: "list", allow: value, deny: [] }
    },
  }
}

function limitOrNone(
  key: string,
  into: "timeout" | "maxTurns",
  otherwise: string,
  doc: string,
  unit = 1,
): Field<number> {
  const atLeastNone = { type: "number", minimum: 0 } as const
  const field = defineLimitField(
    key,
    into,
    unit === 1 ? { ...atLeastNone, whole: "whole" } : atLeastNone,
    doc,
    unit,
  )
  return markForOwnRun({
    ...field,
    otherwise,
    read: (draft, value, reading) => {
      if (value > 0) return field.read(draft, value, reading)
      const { [into]: _, ...rest } = draft.limits ?? {}
      draft.limits = rest
      reading.report({
        code: "limit-none",
        severity: "info",
        message: `\`${key}: 0\` means that the agent has no limit of its own. The rest of its caller's limit applies, or the configured one.`,
        at: { type: "value", path: [key] },
      })
    },
    write: (agent, writing) => field.write(agent, writing) ?? 0,
  })
}

/** A token written in the file itself would go into the log with the agent. */
function apiToken(): Field {
  const field = keptHere(
    "api_token",
    textType,
    "The environment variable with the token that Gobby sends to the server of its model.",
  )
  return {
    ...field,
    read: (draft, value, reading) => {
      if (value === null || /^\$\{\w+\}$/.test(value as string)) return field.read(draft, value, reading)
      reading.report({
        code: "secret-written-out",
        severity: "warning",
        message:
          "`api_token` contains the token itself, so everyone who reads this file can see it. It is not kept with the agent, so that it reaches no log. Put the token in an environment variable, and refer to that.",
        at: { type: "value", path: ["api_token"] },
      })
    },
  }
}

/** Reports values that have no effect in cadre, or another effect than in Gobby. */
function reportDifferences({ prompts, ...values }: Values, { report }: FieldReading): void {
  if (values.enabled === false)
    report({
      code: "agent-disabled",
      severity: "info",
      message:
        "Gobby does not offer this agent, so cadre hides it: it is not listed for people or models, but can still be called by name.",
      at: { type: "value", path: ["enabled"] },
    })
  const { agent } = (prompts ?? {}) as Values
  for (const key of ["role", "goal", "personality", "instructions"])
    if (typeof agent === "string" && typeof values[key] === "string")
      report({
        code: "key-superseded",
        severity: "warning",
        message: `\`${key}\` has no effect, because \`prompts.agent\` is the whole prompt. Move its text there.`,
        at: { type: "key", path: [key] },
      })
}
