import * as emailAssets from '#core/content/email-asset.ts';
import * as emailTemplates from '#core/content/email-template.ts';
import { NewEmailAsset } from '#shared/email-asset.ts';
import { NewEmailTemplate } from '#shared/email-template.ts';
import type { BodyInput } from '#shared/routes.ts';
import { needsOf } from './items.ts';
import type { Person } from './member.ts';
import { actingIn } from './people.ts';
import type { Stack } from './stack.ts';

type Wanted = { lists?: string[] } & Partial<Omit<BodyInput<'POST /api/automations'>, 'email_list_ids'>>;

export async function newAutomation(
  stack: Stack,
  { token, home }: Person,
  { name = 'welcome', lists = [], ...fields }: Wanted = {},
): Promise<string> {
  const body = { name, email_list_ids: lists, ...fields };
  return (await stack.call('POST /api/automations', { token, organization: home.id, body })).body.id;
}

let contents = 0;

/** The fields of a new template. They differ in each call. */
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

export const asset = (fields: object = {}) => ({
  name: null as string | null,
  type: 'subject_line',
  value: `Subject number ${++contents}`,
  is_active: true,
  automation_ids: [] as string[],
  ...fields,
});

export const assetSet = (fields: object = {}) => {
  const number = ++contents;
  return {
    subject_line: `Subject number ${number}`,
    pre_cta_content: `Hello, number ${number}`,
    cta_text: `Look at ${number}`,
    cta_url: `https://shop.example.com/${number}`,
    footer: `${number}: {{UNSUB_LINK}}`,
    ...fields,
  };
};

export async function newTemplate(stack: Stack, { id, home }: Person, fields: object = {}): Promise<string> {
  const needs = await needsOf(stack);
  const active = await actingIn(needs.table, id, home.id);
  return (await emailTemplates.create(needs, active, NewEmailTemplate.parse(template(fields)))).id;
}

export async function newAsset(stack: Stack, { home }: Person, fields: object = {}): Promise<string> {
  const wanted = NewEmailAsset.parse(asset(fields));
  return (await emailAssets.create(await needsOf(stack), home.id, wanted)).id;
}
