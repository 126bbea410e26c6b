/** What a tool of assistants is for, in words for a model; without an entry, the summary of its call. */
export const TOOL_TEXTS: Partial<Record<string, string>> = {
  listEmailListsByToken:
    'The email lists, with their ids, and how many members each has. Begin here to find the id of a list.',
  listListMembers:
    'The people on an email list. Find somebody with search: the beginning of their address, or a part of it. Each has the id that explainListMember and getListMember take.',
  getListMember: 'One person on a list: whether they are subscribed, since when, and what is known of them.',
  listListMemberActions:
    'What happened to a person: emails sent, opened, clicked, skipped with the reason, unsubscribes, bounces.',
  explainListMember:
    'Why a person got an email of an automation or did not: the date it runs on, the conditions, limits, quiet hours and switches that decided. Use it for each question that begins with why.',
  listAutomations: 'The automations with their schedules, lists, conditions and whether they are on.',
  listSequences: 'The sequences with their steps. Each step is an automation.',
  listBroadcasts: 'Emails that go to a list once, and what became of them.',
  listEmailTemplates: 'Whole emails by name, with the automations that send them.',
  getEmailTemplate: 'All texts of a template.',
  listEmailSends:
    'The sending log: who got which email when, and what became of it; skipped ones with their reason by a filter.',
  reportCombinations: 'Sent, opened, clicked, unsubscribed and value of each content, of a range of days.',
  reportDays: 'What was sent, opened and clicked by day.',
  reportPerformance: 'The best contents of a range.',
  reportAutomationTotals: 'The numbers of each automation in the last 30 days.',
  compareCombinations:
    'Which content is clicked more often, as far as that is certain. Claim no more than it says.',
  forecast: 'How many emails the organization will send in the next days, by automation.',
  simulateAutomation: 'Whom an automation would mail in the next 24 hours, with samples.',
  getUpcoming: 'When a person gets which emails next.',
  countAudience: 'How many people on some lists match conditions.',
  getAttention: 'What needs attention: keys, domains, pauses, failures. The health of the organization.',
  getFirstSteps:
    'What is left to do until the first email is sent; the next setup step is the first that is not done.',
  getSafeguards: 'The limits on emails to one person, and when the guard pauses an automation.',
  getHoldout:
    'How many percent of people get nothing of the organization, so that it shows what its emails do.',
  listRecord: 'Who changed what, and when.',
  createPlan:
    'Proposes changes of automations, sequences, templates, assets, safeguards, sending hours or the holdout. Changes nothing: it answers a plan with its hash, each change from before to after, and who is touched by day. What is not named stays as it is. Show the effect to the person.',
  getPlan: 'A plan of the last 24 hours by its hash: its changes, and whom it touches.',
  applyPlan:
    'Applies a plan by its hash. The person who uses the client is asked first, and may refuse. Never call it without having shown them what the plan says.',
};
