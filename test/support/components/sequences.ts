import type { AutomationContent } from '#shared/automation-content.ts';
import type { Sequence, StepInput } from '#shared/sequence.ts';
import type { Answers } from './api.ts';
import { automation, list, noContent, template } from './examples.ts';

type Step = Sequence['steps'][number];

const whole = { ...automation.email_eligibility, is_eligible: true };
export const step = (automation_id: string, delay_days: number): Step => ({
  automation_id,
  name: `Onboarding_${automation_id}`,
  delay_days,
  delay_minutes: 0,
  active: true,
  email_eligibility: automation.email_eligibility,
});
export const customers = { ...list, id: 'customers001' };
export const onboarding: Sequence = {
  id: 's1',
  name: 'Onboarding',
  active: false,
  email_list_ids: [customers.id],
  email_lists: [{ id: customers.id, name: list.name, domain: list.domain }],
  metadata_trigger: 'signed_up',
  starts_at: 'date',
  audience: null,
  send_at: null,
  time_zone_of: 'organization',
  days_off: [],
  holdout_percent: 0,
  steps: [step('a1', 0), step('a2', 3), step('a3', 7)],
  created_at: automation.created_at,
  revision: 'first',
};

const { pre_cta_content, cta_text, cta_url, footer } = template;
const content = { pre_cta_content, cta_text, cta_url, footer, preheader: null, after_cta_content: null };
export const written = (subject_line: string): AutomationContent => ({
  ...noContent,
  combinations: 1,
  active: { ...noContent.active, templates: 1 },
  templates: [
    {
      id: template.id,
      name: subject_line,
      subject_line,
      language_code: 'en',
      is_active: true,
      columns: [],
      warnings: [],
      texts: { ...content, subject_line },
    },
  ],
});

/** The API of one sequence: what is put is what is read afterwards. */
export function fakeSequence(first: Partial<Sequence> = {}, emails: Record<string, string> = {}): Answers {
  let now: Sequence = { ...onboarding, ...first };
  const eligible = () => ({
    ...now,
    steps: now.steps.map(one => ({
      ...one,
      email_eligibility: emails[one.automation_id] ? whole : automation.email_eligibility,
    })),
  });
  return {
    'GET /api/sequences': () => [eligible()],
    'GET /api/sequences/{sequence}': eligible,
    'GET /api/sequences/{sequence}/people': () => ({
      steps: now.steps.map(({ automation_id }, at) => ({ automation_id, people: at * 12 })),
      sampled: null,
      counted_share: 1,
    }),
    'PUT /api/sequences/{sequence}': ({ body }) => {
      const { steps, ...fields } = body as { steps?: StepInput[] };
      const all = steps?.map(({ automation_id = 'a9', ...given }) => ({
        ...(now.steps.find(one => one.automation_id === automation_id) ?? step(automation_id, 0)),
        ...(given as Partial<Step>),
      }));
      now = { ...now, ...fields, ...(all && { steps: all }) };
      return eligible();
    },
    'GET /api/automations/{automation}/content': ({ params: { automation: id } }) =>
      emails[id] ? written(emails[id]) : noContent,
    'POST /api/email-templates': ({ body }) => {
      for (const id of body.automation_ids ?? []) emails[id] = body.subject_line;
      return Response.json(template, { status: 201 });
    },
    'GET /api/reporting/automations': { automations: [], counted_until: null },
    'GET /api/email-lists': [customers],
    'GET /api/automations': [],
  };
}
export const PATH = '/automations/sequences/s1';
