import { toPlainKey } from "../../../ground/restricting.ts"

/** Whether another tool has such a key, however the key joins its words. No tool has keys that begin with a capital. */
export function isOtherKey(key: string): boolean {
  if (!/^\p{Ll}/u.test(key)) return false
  otherKeys ??= new Set(keys.trim().split(/\s+/).map(toPlainKey))
  return otherKeys.has(toPlainKey(key))
}

/** Built at first use: most programs read no agent files. */
let otherKeys: ReadonlySet<string> | undefined

/**
 * Keys that authors write into agent files, as of November 2026: those of our formats, other tools and static sites.
 * Below a description, such a word is a key and no part of the text.
 */
const keys = `
  action activities activation agent agents aliases allowModelOverride alwaysApply api_base api_token applyTo
  argument-hint arguments args author authors auto autonomy background badge banner base base_branch beta blocked_mcp_tools
  branch_prefix brand build cache call_variables callVariables capabilities capability categories category changelog
  class code collection color colors colour command commands company compatibility complexity compliance config
  configuration constraints contact context contributor contributors copyright cost created created_at creator
  credits cwd date date_added debug default default_variables default_workflow defaults delegates dependencies depends
  deprecated deps difficulty disable-model-invocation displayName display_name docs documentation domain domains draft
  editor effort email emoji enabled endpoint engine env environment event events examples executor exit_condition
  experimental expertise extends extensions fallback fallback_agent family features file files flags focus format
  framework frameworks from funding globs goal group groups handoffs handle headers hidden hint homepage hook hooks host
  icon id image imports inclusion index infer inherit_variables inheritVariables initialPrompt initial_context inputs
  installation instructions integrations interface interval invocable keywords invocation is_background isolation issues job kind
  label labels lang language languages lastUpdated last_updated layer layout level library license licence lifecycle
  lifecycle_variables lifecycle_workflow limits links list locale location log logo maintainer maintainers max_tokens
  max_turns maxTurns maturity mcp mcp-servers mcpServers memory menu messages metadata method mode model modelId models
  model_config model_id module modified name namespace nav_order nickname observers on on_premature_stop options order
  org organization origin output outputs owner owners package page parallel parameters parent path pattern permalink
  permissionMode permissions persona personality phase pipeline platform platforms plugin plugins policy port
  postconditions prefix premium preset price pricing priority private products profile profiles project prompt
  prompt_chain prompts protocol provider providers publish published publisher quality readonly reasoning reasoningEffort
  reasoning_effort reasoning_required recursive ref reference references region related release repo repository
  requirements requires resources response retries retry review reviewed risk role root rule rule_definitions rules
  runtime safety sandbox schedule schema scope score script scripts sdk section security seed server service services
  session_variables settings severity shell sidebar_position since site size skill skill_profile skills slug software
  source sources specialization specialty spec stability stack stage state stateful status step_variables step_workflow
  steps stop strategy stream style sub_recipes subagents subcategory subdomain subtitle summary support surfaces system
  systemPrompt tag tags target targets tasks taxonomy team teams template temperature terminal test tests theme thinking
  tier timeout timeout_mins title tokens tone tool toolDefinitions toolset toolsets top_k top_p topic topics trigger triggers type
  update updated updated_at url usage use user-invocable uuid variables vendor verbose version vibe visibility voice
  website weight workflow workflows workspace
  `
