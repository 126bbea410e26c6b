import * as automations from '../../functions/core/automation/automation.ts';
import { documents } from './items.ts';
import type { Person } from './member.ts';
import type { Stack } from './stack.ts';

type Wanted = { name?: string; lists?: string[]; organization?: number; metadata_trigger?: string };

/** Creates an automation in the organization of a person. */
export async function newAutomation(
  stack: Stack,
  { home }: Person,
  { name = 'welcome', lists = [], organization = home.id, metadata_trigger }: Wanted = {},
): Promise<string> {
  const { body: clock } = await stack.fetchJson('GET', '/_local/clock');
  const needs = { table: documents(stack), now: new Date(clock.now) };
  const fields = { name, email_list_ids: lists, metadata_trigger: metadata_trigger ?? null };
  return (await automations.create(needs, organization, fields)).id;
}

let contents = 0;

/** The fields of a template that is like no other. */
export const template = (fields: object = {}) => ({
  name: 'Welcome',
  subject_line: 'Welcome aboard',
  preheader: 'Good to have you.',
  pre_cta_content: `Hello {{first_name | 'you'}}, this is number ${++contents}.`,
  cta_text: 'Look around',
  cta_url: 'https://shop.example.com/start',
  after_cta_content: null,
  footer: 'Leave: {{UNSUB_LINK}}',
  language_code: 'en',
  is_active: true,
  automation_ids: [] as string[],
  ...fields,
});

/** An asset that is like no other. */
export const asset = (fields: object = {}) => ({
  name: null as string | null,
  type: 'subject_line',
  value: `Subject number ${++contents}`,
  is_active: true,
  automation_ids: [] as string[],
  ...fields,
});

export async function newTemplate(
  stack: Stack,
  { token, home }: Person,
  fields: object = {},
): Promise<string> {
  const body = template(fields);
  return (await stack.call('POST /api/email-templates', { token, organization: home.id, body })).body.id;
}

export async function newAsset(stack: Stack, { token, home }: Person, fields: object = {}): Promise<string> {
  const body = asset(fields);
  return (await stack.call('POST /api/email-assets', { token, organization: home.id, body })).body.id;
}
