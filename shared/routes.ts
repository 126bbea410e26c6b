import { attentionRoutes } from './attention.ts';
import { automationRoutes } from './automation.ts';
import { automationContentRoutes } from './automation-content.ts';
import { broadcastRoutes } from './broadcast.ts';
import { connectionRoutes } from './connection.ts';
import { domainCheckRoutes } from './domain-check.ts';
import { dryRunRoutes } from './dry-run.ts';
import { emailAssetRoutes } from './email-asset.ts';
import { emailAssetSetRoutes } from './email-asset-set.ts';
import { emailTemplateRoutes } from './email-template.ts';
import { erasureRoutes } from './erasure.ts';
import { eventRoutes } from './event.ts';
import { explanationRoutes } from './explanation.ts';
import { exportRoutes } from './export.ts';
import { firstStepsRoutes } from './first-steps.ts';
import { holdoutRoutes } from './holdout.ts';
import { identityRoutes } from './identity.ts';
import { imageRoutes } from './image.ts';
import { invitationRoutes } from './invitation.ts';
import { listRoutes } from './list.ts';
import { listMemberRoutes } from './list-member.ts';
import { loginRoutes } from './login.ts';
import { lookRoutes } from './look.ts';
import { memberRoutes } from './member.ts';
import { memberImportRoutes } from './member-import.ts';
import { openapiRoutes } from './openapi.ts';
import { organizationRoutes } from './organization.ts';
import { planRoutes } from './plan.ts';
import { recordRoutes } from './record.ts';
import { reportingRoutes } from './reporting.ts';
import {
  type AnswerOf,
  type BodyInputOf,
  type NamesOf,
  pathIn,
  type QueryInputOf,
  type RouteTable,
  twinsOf,
} from './route.ts';
import { safeguardsRoutes } from './safeguards.ts';
import { emailSendRoutes } from './send.ts';
import { sendingHoursRoutes } from './sending-hours.ts';
import { sequenceRoutes } from './sequence.ts';
import { testEmailRoutes } from './test-email.ts';
import { tokenRoutes } from './token.ts';
import { unsubscribeWebhookRoutes } from './unsubscribe-webhook.ts';
import { userRoutes } from './user.ts';
import { v1Routes } from './v1.ts';

export const sections = {
  login: loginRoutes,
  user: userRoutes,
  organization: organizationRoutes,
  record: recordRoutes,
  member: memberRoutes,
  invitation: invitationRoutes,
  token: tokenRoutes,
  connection: connectionRoutes,
  list: listRoutes,
  look: lookRoutes,
  identity: { ...identityRoutes, ...domainCheckRoutes },
  'unsubscribe-webhook': unsubscribeWebhookRoutes,
  'list-member': listMemberRoutes,
  'member-import': memberImportRoutes,
  export: exportRoutes,
  erasure: erasureRoutes,
  'email-asset': { ...emailAssetRoutes, ...emailAssetSetRoutes },
  'email-template': emailTemplateRoutes,
  image: imageRoutes,
  automation: { ...automationRoutes, ...testEmailRoutes },
  sequence: sequenceRoutes,
  broadcast: broadcastRoutes,
  event: eventRoutes,
  'automation-content': automationContentRoutes,
  'dry-run': dryRunRoutes,
  plan: planRoutes,
  'email-send': emailSendRoutes,
  explanation: explanationRoutes,
  reporting: reportingRoutes,
  home: { ...attentionRoutes, ...firstStepsRoutes },
  safeguards: { ...safeguardsRoutes, ...sendingHoursRoutes, ...holdoutRoutes },
  v1: v1Routes,
  openapi: openapiRoutes,
} as const satisfies Record<string, RouteTable>;

export type Section = keyof typeof sections;

/** The sections that each function serves: `functions/api/<group>.ts` handles the routes of its group. */
export const groups = {
  login: ['login'],
  user: ['user', 'token'],
  connection: ['connection'],
  organization: ['organization', 'record', 'home', 'safeguards'],
  member: ['member', 'invitation'],
  list: ['list'],
  look: ['look'],
  identity: ['identity'],
  'unsubscribe-webhook': ['unsubscribe-webhook'],
  'list-member': ['list-member', 'export', 'erasure', 'explanation'],
  'member-import': ['member-import'],
  content: ['email-asset', 'email-template', 'image', 'automation-content'],
  automation: ['automation', 'sequence', 'broadcast', 'event', 'dry-run'],
  plan: ['plan'],
  'email-send': ['email-send'],
  reporting: ['reporting'],
  v1: ['v1'],
  openapi: ['openapi'],
} as const satisfies Record<string, readonly Section[]>;

export type Group = keyof typeof groups;

export const routesOf = (group: Group): RouteTable =>
  Object.assign({}, ...groups[group].map(section => sections[section]));

/** The route of what no other one declares, whose function answers 405 or 404. */
export const UNDECLARED = { key: 'ANY /api/{proxy+}', group: 'openapi' } as const;

/** The route of what a standard declares: a code for a token, and the end of that (RFC 6749, 7009). */
export const OAUTH = { key: 'ANY /api/oauth/{endpoint}', group: 'connection' } as const;

type Intersection<T> = (T extends T ? (of: T) => void : never) extends (of: infer All) => void ? All : never;
export type Routes = Intersection<(typeof sections)[Section]>;
export type RouteKey = keyof Routes;

export const routes: Routes = Object.assign({}, ...Object.values(sections));

/** All calls of programs. */
export const programRoutes: RouteTable = { ...v1Routes, ...twinsOf(routes) };

/** The gateway limits the calls of these by their routes, so each has a route of its own. */
const hasOwnRoute = (key: string) => key.includes(' /api/login/');

/**
 * The routes of API Gateway for a group. It takes 300 in all, so a path is one route for all methods, whose function answers
 * 405, unless functions share the path.
 */
export function gatewayKeysOf(group: Group): string[] {
  const keysOf = (served: RouteTable) => Object.keys({ ...served, ...twinsOf(served) });
  const served = keysOf(routesOf(group));
  const others = keysOf(routes).filter(key => !served.includes(key));
  const isShared = (path: string) => others.some(key => pathIn(key) === path);
  const keys = served.map(key => (hasOwnRoute(key) || isShared(pathIn(key)) ? key : `ANY ${pathIn(key)}`));
  return [...new Set(keys), ...[UNDECLARED, OAUTH].flatMap(of => (of.group === group ? [of.key] : []))];
}

export type Answer<K extends RouteKey> = AnswerOf<Routes[K]>;
export type BodyInput<K extends RouteKey> = BodyInputOf<Routes[K]>;
export type QueryInput<K extends RouteKey> = QueryInputOf<Routes[K]>;
export type Params<K extends RouteKey> = Record<NamesOf<K>, string>;
