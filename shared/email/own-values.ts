import type { Metadata, MetadataValue } from '../metadata.ts';
import type { OwnName, UNSUBSCRIBE } from './placeholder.ts';

type Subject = {
  automation: { id: string; name: string };
  /** The id of the combination; for a template, the id of the template. */
  combination: string;
  /** Undefined if the email consists of assets. */
  template: string | undefined;
  days: number | undefined;
  /** The id of the email. */
  send: string;
  email: string;
};

const campaign = (name: string) => `utm_medium=email&utm_source=lf&utm_campaign=${encodeURIComponent(name)}`;

/** The values of the product's placeholders, except the unsubscribe link. */
export const ownValues = ({
  automation,
  combination,
  template = '',
  days,
  send,
  email,
}: Subject): Record<Exclude<OwnName, typeof UNSUBSCRIBE>, MetadataValue> => ({
  automation_name: automation.name,
  automation_id: automation.id,
  days_since_trigger: days ?? '',
  utm_tags_automation_id: campaign(automation.id),
  utm_tags_automation_name: campaign(automation.name),
  utm_tags_combination_id: campaign(combination),
  // Assets have no template, and a campaign needs a name.
  utm_tags_template_id: campaign(template || combination),
  combination_id: combination,
  template_id: template,
  template_combination_id: combination,
  send_id: send,
  email,
});

/** Stand for the automation, and for the template, of an email that belongs to none yet. */
export const SAMPLE = {
  automation: { id: 'a1b2c3d4e5f6', name: 'welcome' },
  combination: 'k3m9p2x7q1w5',
  template: 'k3m9p2x7q1w5',
  days: 3,
  send: 'Qm9vay1leGFtcGxlLXNlbg-1',
};

/** The values of all placeholders. The product's own names take precedence over metadata. */
export const valuesFor = (
  metadata: Metadata,
  own: ReturnType<typeof ownValues>,
): Map<string, MetadataValue> => new Map([...Object.entries(metadata), ...Object.entries(own)]);
