import type { Operations } from '../../client/index.ts';

/** A fictional small company, and what it sends. */
export const COMPANY = 'Quillstone Coffee';

export type ListName = 'club' | 'customers';
const DOMAIN = 'quillstone.example.com';

const sender = { domain: DOMAIN, unsubscribe_text: 'Unsubscribe', active: true } as const;
export const LISTS = {
  club: {
    ...sender,
    name: 'Coffee club',
    public_name: 'Quillstone Coffee Club',
    sender_name: 'Quillstone Coffee',
    sender_address: `club@${DOMAIN}`,
  },
  customers: {
    ...sender,
    name: 'Customers',
    public_name: 'Quillstone Coffee orders',
    sender_name: 'Quillstone Coffee',
    sender_address: `orders@${DOMAIN}`,
  },
} as const;

const everyDay = { active: true, time_zone_of: 'organization' } as const;
export const AUTOMATIONS = {
  recipe: {
    ...everyDay,
    name: 'Recipes',
    lists: ['club'],
    metadata_trigger: 'signed_up',
    delay_days: 14,
    every_x_days: 14,
    stop_after_days: null,
    send_at: '09:00',
    days_off: ['sunday'],
  },
  reorder: {
    ...everyDay,
    name: 'Reorder_reminder',
    lists: ['customers'],
    metadata_trigger: 'last_order',
    delay_days: 21,
    every_x_days: 15,
    stop_after_days: 120,
    send_at: '09:00',
    days_off: [],
  },
  // It has no content yet.
  anniversary: {
    ...everyDay,
    name: 'Club_anniversary',
    lists: ['club'],
    metadata_trigger: 'signed_up',
    repeat: 'yearly',
    send_at: '10:00',
  },
} as const;

/** An email on the day of the sign-up, and two more. */
export const WELCOME = {
  active: true,
  name: 'Welcome to the club',
  lists: ['club'],
  metadata_trigger: 'signed_up',
  send_at: '10:00',
  steps: [
    { name: 'Welcome', delay_days: 0 },
    { name: 'How_we_roast', delay_days: 3 },
    { name: 'Brewing', delay_days: 7 },
  ],
} as const;

/** `sentAfter`: at which share of the history it is sent. The other one is a draft. */
export const BROADCASTS = {
  harvest: {
    name: 'The new harvest is here',
    lists: ['club'],
    audience: { all: [{ field: 'coffee', op: 'is_not', value: 'decaf' }] },
    sentAfter: 0.6,
  },
  winter: { name: 'Winter blend', lists: ['club', 'customers'], audience: null, sentAfter: undefined },
} as const;

export type Mailing =
  | keyof typeof AUTOMATIONS
  | keyof typeof BROADCASTS
  | (typeof WELCOME.steps)[number]['name'];

const GREETING = "Hello {{first_name | 'there'}},";
const FOOTER =
  'Quillstone Coffee, 12 Example Street. You get this because you signed up with us. {{UNSUB_LINK}}';

/** The URL of a button, whose query tells the shop which email led to an order. */
const shop = (path: string) => `https://${DOMAIN}/${path}?ref={{combination_id}}`;
/** The query parameter with the combination. */
export const REFERENCE = 'ref';

const template = { footer: FOOTER, language_code: 'en', is_active: true } as const;
export const TEMPLATES: {
  automation: Mailing;
  /** By which factor its button is clicked more often than usual. */
  appeal: number;
  template: Operations['createEmailTemplate']['input']['body'];
}[] = [
  {
    automation: 'Welcome',
    appeal: 1.6,
    template: {
      ...template,
      name: 'Welcome: what to expect',
      subject_line: "Welcome to the club, {{first_name | 'coffee friend'}}",
      preheader: 'A recipe every other week, and nothing else.',
      pre_cta_content: `${GREETING}\n\ngood to have you. Every other week we send you one recipe that we have made ourselves, with the beans it works best with. That is all.\n\nYou told us that you like **{{coffee | 'coffee'}}**, so here is a good place to start:`,
      cta_text: 'Your first recipe',
      cta_url: shop('recipes/first'),
      after_cta_content: 'Questions about grinders, water or beans? Reply to this email: a person reads it.',
    },
  },
  {
    automation: 'How_we_roast',
    appeal: 1,
    template: {
      ...template,
      name: 'Welcome: who we are',
      subject_line: 'Thank you for joining Quillstone Coffee',
      preheader: 'A small roastery with one big drum.',
      pre_cta_content: `${GREETING}\n\nwe are a small roastery. We buy from four farms, roast on Tuesdays, and ship on Wednesdays.\n\nThis is how we work, from the farm to your cup:`,
      cta_text: 'See how we roast',
      cta_url: shop('about'),
      after_cta_content: null,
    },
  },
  {
    automation: 'Brewing',
    appeal: 1.2,
    template: {
      ...template,
      name: 'Welcome: brewing',
      subject_line: "Three things that make {{coffee | 'coffee'}} better",
      preheader: 'Fresh water, a finer scale, and patience.',
      pre_cta_content: `${GREETING}\n\nyou have been with us for a week. Three things change a cup more than any machine:\n\n- fresh water, not too hard\n- weighing the coffee, and the water too\n- waiting a minute before the first sip\n\nThe whole guide, with a table to print:`,
      cta_text: 'Read the guide',
      cta_url: shop('guide'),
      after_cta_content: null,
    },
  },
  ...['The new harvest is here', 'Which of our four farms is your favorite?'].map(subject_line => ({
    automation: 'harvest' as const,
    appeal: 1.4,
    template: {
      ...template,
      name: `Harvest: ${subject_line.endsWith('?') ? 'a question' : 'plain'}`,
      subject_line,
      preheader: 'Four farms, four cups, and all of them are fresh.',
      pre_cta_content: `${GREETING}\n\nthe container from the new harvest has arrived, and we have roasted a first bag from each farm. The differences are larger than last year.\n\nTaste all four, in small bags:`,
      cta_text: 'Taste all four',
      cta_url: shop('harvest'),
      after_cta_content: 'There are 150 sets, and there is no second delivery this year.',
    },
  })),
  {
    automation: 'reorder',
    appeal: 1.3,
    template: {
      ...template,
      name: 'Reorder: running low',
      subject_line: "Running low on {{coffee | 'coffee'}}, {{first_name | 'friend'}}?",
      preheader: 'Your last bag was roasted some weeks ago.',
      pre_cta_content: `${GREETING}\n\nyour last order was {{days_since_trigger}} days ago. If you make two cups a day, the bag is about empty now.\n\nOne click, and the same bag is on its way on Wednesday:`,
      cta_text: 'Order the same again',
      cta_url: shop('reorder'),
      after_cta_content: 'Still enough? Keep it closed, dry and dark, and it will be fine for weeks.',
    },
  },
  {
    automation: 'reorder',
    appeal: 1,
    template: {
      ...template,
      name: 'Reorder: fresh this week',
      subject_line: 'Fresh from the roaster this week',
      preheader: 'Roasted on Tuesday, shipped on Wednesday.',
      pre_cta_content: `${GREETING}\n\nthe roaster is on again on Tuesday. What is on the list: our house espresso, a washed filter, and the decaf that many asked for.\n\nOrder before Monday evening and it is in this batch:`,
      cta_text: 'Look at the list',
      cta_url: shop('this-week'),
      after_cta_content: null,
    },
  },
  {
    automation: 'winter',
    appeal: 1,
    template: {
      ...template,
      name: 'Winter blend',
      subject_line: 'The winter blend is here',
      preheader: 'Chocolate, orange peel, and a little smoke.',
      pre_cta_content: `${GREETING}\n\nonce a year we roast a blend for the cold months. There are 200 bags, and members of the club are told first.`,
      cta_text: 'Reserve a bag',
      cta_url: shop('winter'),
      after_cta_content: null,
    },
  },
];

/** Each recipe has two subjects and two buttons: they make four combinations, of which one performs best. */
export const ASSETS: (Operations['createEmailAsset']['input']['body'] & {
  /** By which factor the email is opened, or its button clicked, more often than usual. */
  appeal?: number;
})[] = [
  { type: 'subject_line', name: 'Subject: plain', value: 'A new recipe from the roastery' },
  {
    type: 'subject_line',
    name: 'Subject: by name',
    value: "{{first_name | 'Friend'}}, a recipe for your {{coffee | 'coffee'}}",
    appeal: 1.6,
  },
  { type: 'preheader', name: 'Preheader', value: 'Ten minutes, five ingredients, one cup.' },
  {
    type: 'pre_cta_content',
    name: 'The recipe',
    value: `${GREETING}\n\nthis time we made it short:\n\n- 18 g of coffee, a little coarser than sugar\n- 270 g of water, just off the boil\n- three minutes, and stir once\n\nIt tastes of more than it costs. The whole recipe, with pictures and what to change for **{{coffee | 'your coffee'}}**:`,
  },
  { type: 'cta_text', name: 'Button: read on', value: 'Read more' },
  { type: 'cta_text', name: 'Button: brew it', value: 'Brew it today', appeal: 2.6 },
  { type: 'cta_url', name: 'Recipe page', value: shop('recipes/new') },
  {
    type: 'after_cta_content',
    name: 'Reply to us',
    value: 'Did it work? Reply and tell us: the best ideas become next month’s recipes.',
  },
  { type: 'footer', name: 'Footer', value: FOOTER },
  { type: 'subject_line', name: 'Subject: last year’s', value: 'Coffee news', is_active: false },
];
