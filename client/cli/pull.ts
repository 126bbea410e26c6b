import type { Client } from '../index.ts';
import type { Desired, Entry } from './directory.ts';

/** What files have of each kind, besides what is named otherwise in the answers of the API. */
export const FIELDS = {
  automations:
    'name active metadata_trigger starts_at repeat every_x_days delay_days delay_minutes stop_after_days send_at time_zone_of days_off dates_off audience reply_to allocation holdout_percent double_send_first triple_send_first double_send_second triple_send_second double_send_third triple_send_third',
  sequences: 'name active metadata_trigger starts_at send_at time_zone_of days_off audience holdout_percent',
  templates:
    'name subject_line preheader cta_text cta_url language_code is_active pre_cta_content after_cta_content footer',
  assets: 'name type value is_active',
};

const picked = (fields: string, from: object): Entry =>
  Object.fromEntries(
    fields.split(' ').flatMap(field => (field in from ? [[field, (from as Entry)[field]]] : [])),
  );

async function all<Row>(read: (page: number) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const found = await read(page);
    if (found.length === 0) return rows;
    rows.push(...found);
  }
}

/** By name where one alone has it, else by id. */
function referenceOf(named: { id: string; name: string | null }[]) {
  const counts = new Map<string | null, number>();
  for (const { name } of named) counts.set(name, (counts.get(name) ?? 0) + 1);
  return ({ id, name }: { id: string; name: string | null }) =>
    name !== null && counts.get(name) === 1 ? name : id;
}

/** The present state, as a plan takes it: what has its name alone is found by it, anything else by its id. */
export async function readPresent(client: Client): Promise<Desired> {
  const [automations, sequences, templates, lists] = await Promise.all([
    all(page => client.listAutomations({ page })),
    all(page => client.listSequences({ page })),
    all(page => client.listEmailTemplates({ page })),
    client.listEmailListsByToken(),
  ]);
  const assets = await all(async page => (await client.listEmailAssets({ page })).data);
  const [automationOf, sequenceOf, templateOf, listOf] = [
    referenceOf(automations),
    referenceOf(sequences),
    referenceOf(templates),
    referenceOf(lists),
  ];
  // Assets are found by type and name.
  const byType = ({ id, type, name }: { id: string; type: string; name: string | null }) => ({
    id,
    name: name && `${type} ${name}`,
  });
  const assetOf = referenceOf(assets.map(byType));
  const known = new Set(automations.map(({ id }) => id));
  // A broadcast that has content too is known by its id alone.
  const linksOf = (links: { id: string; name: string }[]) =>
    links.map(link => (known.has(link.id) ? automationOf(link) : link.id)).sort();
  const idIn = (reference: string, { id }: { id: string }) => (reference === id ? { id } : {});

  const written = {
    automations: automations
      .filter(({ sequence_id }) => sequence_id === null)
      .map(one => ({
        ...idIn(automationOf(one), one),
        ...picked(FIELDS.automations, one),
        email_lists: one.email_lists.map(listOf),
      })),
    sequences: sequences.map(one => ({
      ...idIn(sequenceOf(one), one),
      ...picked(FIELDS.sequences, one),
      email_lists: one.email_lists.map(listOf),
      steps: one.steps.map(({ name, delay_days, delay_minutes, active }) => ({
        name,
        delay_days,
        delay_minutes,
        active,
      })),
    })),
    templates: [] as Entry[],
    assets: [] as Entry[],
    safeguards: { ...(await client.getSafeguards()) },
    sending_hours: { ...(await client.getSendingHours()) },
    holdout: { ...(await client.getHoldout()) },
  };
  // One after the other: the API takes so many calls in some seconds, and the client waits where there were more.
  for (const { id } of templates) {
    const { emailTemplate, automations: links } = await client.getEmailTemplate({ emailTemplate: id });
    written.templates.push({
      ...idIn(templateOf(emailTemplate), emailTemplate),
      ...picked(FIELDS.templates, emailTemplate),
      automations: linksOf(links),
    });
  }
  for (const { id } of assets) {
    const { emailAsset, automations: links } = await client.getEmailAsset({ emailAsset: id });
    written.assets.push({
      ...idIn(assetOf(byType(emailAsset)), emailAsset),
      ...picked(FIELDS.assets, emailAsset),
      automations: linksOf(links),
    });
  }
  return written as Desired;
}
