import { listOf } from "../../ground/keys.ts"
import { isMap, type Json } from "../../ground/message.ts"
import type { NoEffect } from "./fields/field.ts"
import { textOf } from "./gobby-parts.ts"

const rules = "all hooks of the project hold for this agent, unless `lifecycle` names a set of them"
const skills = "the agent is told of every skill that it may load. Name those that it must have in `skills`"

/** What of Gobby's keys nothing here acts on. */
export const gobbyEffects = {
  terminal: [{ why: "a run opens no terminal", severity: "info" }],
  provider: [
    {
      why: "cadre asks a model itself, the one that `model` names. Only `executor`, in a cadre file, has a program run the agent",
      severity: "info",
      when: (provider) => provider !== "inherit",
    },
  ],
  api_base: [
    {
      why: "the model is asked at the address of its provider. Set that below `providers` in the configuration",
      severity: "warning",
    },
  ],
  api_token: [
    {
      why: "the key of a provider comes from the environment, or from `keys/` in the configuration folder",
      severity: "info",
    },
  ],
  reasoning_required: [{ why: "nothing checks whether the model can think", severity: "info" }],
  base_branch: [
    {
      why: "a worktree starts from the commit that the caller works on",
      severity: "info",
      when: (branch) => branch !== "inherit",
    },
  ],
  branch_prefix: [{ why: "the branch of a worktree is `cadre/RUN`", severity: "info" }],
  sandbox: [
    {
      why: "only its tools and the rules of the run decide what this agent may do",
      severity: "warning",
      code: "restriction-kept",
      when: (sandbox) => isMap(sandbox) && sandbox.enabled === true,
    },
  ],
  skill_profile: [{ why: skills, severity: "info" }],
  surfaces: [
    {
      why: "other agents can call it all the same. `enabled: false` hides it",
      severity: "warning",
      when: (surfaces) => !isListed(surfaces, "spawn"),
    },
  ],
  sources: [{ why: "an agent is not bound to a program", severity: "info" }],
  priority: [
    { why: "the place of its file decides which of two agents of one name is used", severity: "info" },
  ],
  version: "informs",
  workflows: [
    { inner: "rule_selectors", why: rules, severity: "info" },
    // Keys and values would be a workflow of that name.
    { inner: "rules", why: rules, severity: "info", when: (given) => !isMap(given) },
    {
      inner: "variable_selectors",
      why: "the agent has all variables that its file and its caller set",
      severity: "info",
    },
    { inner: "skill_selectors", why: skills, severity: "info" },
    { inner: "skill_format", why: "skills are loaded as they are written", severity: "info" },
    {
      inner: "pipeline",
      when: (given) => !isMap(given),
      why: "a pipeline is an agent of its own, in a cadre file",
      severity: "info",
    },
  ],
  skills: [
    {
      why: "skills by occasion are not loaded. Write a list of those that it must have",
      severity: "info",
      when: isMap,
    },
  ],
  prompts: [
    {
      inner: "persona",
      why: "the other instructions of this file hold, also where a run takes the agent on",
      severity: "info",
      when: (_, { prompts, role, goal, personality, instructions }) =>
        [isMap(prompts) ? prompts.agent : undefined, role, goal, personality, instructions].some(
          (text) => textOf(text) !== undefined,
        ),
    },
  ],
} as const satisfies { readonly [key: string]: "informs" | readonly NoEffect[] }

const isListed = (list: Json, name: string): boolean => listOf(list as string | string[]).includes(name)
