// The examples of docs/client.md. A test compiles and runs them against a stack.

// region begin
import { createClient, LetterflowError } from '@letterflow/client';

const letterflow = createClient({
  url: process.env.LETTERFLOW_URL ?? '',
  token: process.env.LETTERFLOW_TOKEN ?? '',
});

const { organization, scopes } = await letterflow.getMe();
console.log(`${organization.name}: ${scopes.join(', ')}`);
// endregion

// region members
const list = await letterflow.createEmailList({
  body: {
    name: 'Trials',
    domain: 'mail.example.com',
    sender_name: 'Example',
    sender_address: 'hello@mail.example.com',
  },
});
const { results } = await letterflow.upsertListMembers({
  list: list.id,
  body: {
    members: [
      { email: 'ada@example.com', first_name: 'Ada', trial_ends: '2031-03-01' },
      { email: 'grace@example.com', first_name: 'Grace', trial_ends: '2031-03-02' },
    ],
  },
});
console.log(results.map(({ email, status }) => `${email}: ${status}`).join('\n'));
// endregion

// region automation
const automation = await letterflow.createAutomation({
  body: {
    name: 'trial_ends',
    email_list_ids: [list.id],
    metadata_trigger: 'trial_ends',
    repeat: 'once',
    send_at: '09:00',
    active: false,
  },
});
const template = await letterflow.createEmailTemplate({
  body: {
    name: 'Your trial ends today',
    subject_line: "{{first_name | 'Hello'}}, your trial ends today",
    pre_cta_content: 'Keep what you have made: choose a plan.',
    cta_text: 'Choose a plan',
    cta_url: 'https://example.com/plans',
    automation_ids: [automation.id],
  },
});
// endregion

// region switch
const change = { automation: automation.id, body: { active: true } };
const { next_24_hours } = await letterflow.tryUpdateAutomation(change);
if (next_24_hours.emails < 1_000) await letterflow.updateAutomation(change);
// endregion

// region pages
const emails: string[] = [];
let cursor: string | undefined;
do {
  const page = await letterflow.listListMembers({ list: list.id, cursor });
  emails.push(...page.data.map(({ email }) => email));
  cursor = page.next_cursor ?? undefined;
} while (cursor);
console.log(`${emails.length} members`);
// endregion

// region refusal
try {
  await letterflow.updateAutomation({ automation: automation.id, body: { name: '' } });
} catch (error) {
  if (!(error instanceof LetterflowError)) throw error;
  console.log(error.status, error.errors);
}
// endregion

// region once
await letterflow.postValue({
  idempotencyKey: 'order-1001',
  body: { emailTemplateCombinationId: template.id, eventId: 'order-1001', value: 49.9 },
});
// endregion
