/** Routes after which emails may be sent. A dry run finds out which, and the user is asked first. */
const ASKED_ROUTES = [
  'POST /api/automations',
  'PUT /api/automations/{automation}',
  'PUT /api/automations/{automation}/content',
  'PUT /api/safeguards',
  'PUT /api/sending-hours',
  'PUT /api/email-lists/{list}',
  'PUT /api/email-lists/{list}/mailgun-key',
  'POST /api/email-templates',
  'PUT /api/email-templates/{emailTemplate}',
  'PUT /api/email-templates/{emailTemplate}/automations',
  'POST /api/email-assets',
  'POST /api/email-asset-sets',
  'PUT /api/email-assets/{emailAsset}',
] as const;
export type AskedRoute = (typeof ASKED_ROUTES)[number];

export const isAsked = (route: string): route is AskedRoute =>
  (ASKED_ROUTES as readonly string[]).includes(route);
