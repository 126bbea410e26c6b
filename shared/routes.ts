import * as z from 'zod/mini';
import { Invitation, InvitationCheck, Invitations, MemberPageQuery, Members } from './invitation.ts';
import {
  ConnectionTest,
  DatetimeColumns,
  EmailList,
  ListChange,
  ListLogoChange,
  ListLogoChanged,
  ListSummary,
  NewList,
  SendingKeyChange,
  SendingKeyChanged,
} from './list.ts';
import {
  ActionsQuery,
  ListMember,
  ListMemberChange,
  MemberAction,
  MemberRows,
  MembersPage,
  MembersQuery,
  NewListMember,
  RowResults,
} from './list-member.ts';
import { CodeAttempt, CodeRequest, CodeSent, SignedIn } from './login.ts';
import {
  LogoChange,
  Member,
  MemberInvite,
  NewOrganization,
  Organization,
  OrganizationChange,
  OrganizationsQuery,
  RoleChange,
} from './organization.ts';
import type { Action } from './permissions.ts';
import { ApiTokens, CreatedToken, NewToken } from './token.ts';
import { ActiveSessions, User } from './user.ts';

/** Who may call: anybody, anybody but by name if signed in, whoever is signed in, or who has the right within an organization. */
export type Permission = 'public' | 'guest' | 'session' | Action;

export type Route = {
  /** The function that serves it: functions/api/<group>.ts */
  group: string;
  permission: Permission;
  /** What the caller shows: the session of a browser, unless it says otherwise. */
  credential?: 'token';
  summary: string;
  body?: z.ZodMiniType;
  /** How large the body may be, where a megabyte would cut off an answer that says more. */
  mostBytes?: number;
  query?: z.ZodMiniType;
  status: 200 | 201 | 204;
  answer?: z.ZodMiniType;
};

const MOST_UPLOAD = 5 * 1024 * 1024;

export const routes = {
  'POST /api/login/request': {
    group: 'login',
    permission: 'public',
    summary: 'Mail a one-time code to an address',
    body: CodeRequest,
    status: 200,
    answer: CodeSent,
  },
  'POST /api/login/verify': {
    group: 'login',
    permission: 'public',
    summary: 'Exchange a code for a session',
    body: CodeAttempt,
    status: 200,
    answer: SignedIn,
  },
  'POST /api/logout': {
    group: 'login',
    permission: 'session',
    summary: 'End this session',
    status: 204,
  },
  'GET /api/user': {
    group: 'user',
    permission: 'session',
    summary: 'Who is signed in',
    status: 200,
    answer: User,
  },
  'POST /api/user/accept-terms': {
    group: 'user',
    permission: 'session',
    summary: 'Accept the terms and conditions and the privacy policy',
    status: 200,
    answer: User,
  },
  'GET /api/user/sessions': {
    group: 'user',
    permission: 'session',
    summary: 'Where the user is signed in, this session first',
    status: 200,
    answer: ActiveSessions,
  },
  'DELETE /api/user/sessions': {
    group: 'user',
    permission: 'session',
    summary: 'Sign out everywhere else',
    status: 204,
  },
  'DELETE /api/user/sessions/{id}': {
    group: 'user',
    permission: 'session',
    summary: 'Sign out in one other place',
    status: 204,
  },
  'GET /api/organizations': {
    group: 'organization',
    permission: 'session',
    summary: 'The organizations of whoever is signed in',
    query: OrganizationsQuery,
    status: 200,
    answer: z.array(Organization),
  },
  'POST /api/organizations': {
    group: 'organization',
    permission: 'session',
    summary: 'Found an organization',
    body: NewOrganization,
    status: 201,
    answer: Organization,
  },
  'PUT /api/organizations/{organization}': {
    group: 'organization',
    permission: 'organization:edit',
    summary: 'Rename, activate or deactivate an organization',
    body: OrganizationChange,
    status: 200,
    answer: Organization,
  },
  'DELETE /api/organizations/{organization}': {
    group: 'organization',
    permission: 'organization:delete',
    summary: 'Delete an organization and all that belongs to it',
    status: 204,
  },
  'PUT /api/organizations/{organization}/logo': {
    group: 'organization',
    permission: 'organization:edit',
    summary: 'Set or remove the logo of an organization',
    body: LogoChange,
    mostBytes: MOST_UPLOAD,
    status: 200,
    answer: Organization,
  },
  'GET /api/organizations/{organization}/members': {
    group: 'member',
    permission: 'members:read',
    summary: 'The members of an organization, and to managers its pending invitations',
    query: MemberPageQuery,
    status: 200,
    answer: Members,
  },
  'POST /api/organizations/{organization}/members': {
    group: 'member',
    permission: 'members:invite',
    summary: 'Invite an address, or invite it again',
    body: MemberInvite,
    status: 201,
    answer: Invitation,
  },
  'PUT /api/organizations/{organization}/members/{member}': {
    group: 'member',
    permission: 'members:edit',
    summary: 'Change the role of a member',
    body: RoleChange,
    status: 200,
    answer: Member,
  },
  'DELETE /api/organizations/{organization}/members/{member}': {
    group: 'member',
    permission: 'members:remove',
    summary: 'Remove a member',
    status: 204,
  },
  'DELETE /api/organizations/{organization}/invitations/{invitation}': {
    group: 'member',
    permission: 'invitations:cancel',
    summary: 'Cancel a pending invitation',
    status: 204,
  },
  'GET /api/user/invitations': {
    group: 'invitation',
    permission: 'session',
    summary: 'The pending invitations of whoever is signed in',
    status: 200,
    answer: Invitations,
  },
  'GET /api/invitations/validate/{token}': {
    group: 'invitation',
    permission: 'guest',
    summary: 'What an invitation link is worth',
    status: 200,
    answer: InvitationCheck,
  },
  'POST /api/invitations/accept/{token}': {
    group: 'invitation',
    permission: 'session',
    summary: 'Accept an invitation',
    status: 200,
    answer: z.object({ success: z.literal(true) }),
  },
  'POST /api/invitations/reject/{token}': {
    group: 'invitation',
    permission: 'session',
    summary: 'Reject an invitation',
    status: 200,
    answer: z.object({ success: z.literal(true) }),
  },
  'GET /api/tokens': {
    group: 'token',
    permission: 'session',
    summary: 'The API tokens of whoever is signed in',
    status: 200,
    answer: ApiTokens,
  },
  'POST /api/tokens': {
    group: 'token',
    permission: 'session',
    summary: 'Create an API token; its value is answered this once',
    body: NewToken,
    status: 201,
    answer: CreatedToken,
  },
  'DELETE /api/tokens': {
    group: 'token',
    permission: 'session',
    summary: 'Delete all API tokens of whoever is signed in',
    status: 204,
  },
  'DELETE /api/tokens/{id}': {
    group: 'token',
    permission: 'session',
    summary: 'Delete an API token',
    status: 204,
  },
  'GET /api/email-lists': {
    group: 'list',
    permission: 'lists:read',
    summary: 'The email lists of the active organization',
    status: 200,
    answer: z.array(EmailList),
  },
  'POST /api/email-lists': {
    group: 'list',
    permission: 'lists:edit',
    summary: 'Create an email list',
    body: NewList,
    status: 201,
    answer: EmailList,
  },
  'GET /api/email-lists/{list}': {
    group: 'list',
    permission: 'lists:read',
    summary: 'An email list with its counts',
    status: 200,
    answer: EmailList,
  },
  'PUT /api/email-lists/{list}': {
    group: 'list',
    permission: 'lists:edit',
    summary: 'Change an email list, activate or deactivate it',
    body: ListChange,
    status: 200,
    answer: EmailList,
  },
  'DELETE /api/email-lists/{list}': {
    group: 'list',
    permission: 'lists:edit',
    summary: 'Delete an email list with its members',
    status: 204,
  },
  'PUT /api/email-lists/{list}/logo': {
    group: 'list',
    permission: 'lists:edit',
    summary: 'Set or remove the logo of an email list',
    body: ListLogoChange,
    mostBytes: MOST_UPLOAD,
    status: 200,
    answer: ListLogoChanged,
  },
  'PUT /api/email-lists/{list}/mailgun-key': {
    group: 'list',
    permission: 'sending-key:edit',
    summary: 'Set, replace or remove the sending key of an email list',
    body: SendingKeyChange,
    status: 200,
    answer: SendingKeyChanged,
  },
  'POST /api/email-lists/{list}/test-mailgun-connection': {
    group: 'list',
    permission: 'sending-key:edit',
    summary: 'Ask the provider whether the sending key is valid for the domain',
    status: 200,
    answer: ConnectionTest,
  },
  'GET /api/email-lists/{list}/datetime-metadata-columns': {
    group: 'list',
    permission: 'lists:read',
    summary: 'The metadata columns of an email list that hold dates',
    status: 200,
    answer: DatetimeColumns,
  },
  'GET /api/email-lists/{list}/members': {
    group: 'list-member',
    permission: 'list-members:read',
    summary: 'The members of an email list by page, all or those that a search finds',
    query: MembersQuery,
    status: 200,
    answer: MembersPage,
  },
  'POST /api/list-members': {
    group: 'list-member',
    permission: 'list-members:edit',
    summary: 'Add somebody to an email list',
    body: NewListMember,
    status: 201,
    answer: ListMember,
  },
  'GET /api/list-members/{member}': {
    group: 'list-member',
    permission: 'list-members:read',
    summary: 'A member of an email list with its metadata',
    status: 200,
    answer: ListMember,
  },
  'PUT /api/list-members/{member}': {
    group: 'list-member',
    permission: 'list-members:edit',
    summary: 'Subscribe or unsubscribe a member, change its metadata',
    body: ListMemberChange,
    status: 200,
    answer: ListMember,
  },
  'DELETE /api/list-members/{member}': {
    group: 'list-member',
    permission: 'list-members:edit',
    summary: 'Remove a member from its email list',
    status: 204,
  },
  'GET /api/list-member-actions': {
    group: 'list-member',
    permission: 'list-members:read',
    summary: 'What happened with a member, newest first',
    query: ActionsQuery,
    status: 200,
    answer: z.array(MemberAction),
  },
  'GET /api/v1/email-lists': {
    group: 'v1',
    permission: 'lists:read',
    credential: 'token',
    summary: 'The email lists of the active organization',
    status: 200,
    answer: z.array(ListSummary),
  },
  'POST /api/v1/email-lists/{list}/members': {
    group: 'v1',
    permission: 'list-members:edit',
    credential: 'token',
    summary: 'Add or update up to 100 members; fields other than email and is_subscribed become metadata',
    body: MemberRows,
    status: 200,
    answer: RowResults,
  },
  'GET /api/openapi.json': {
    group: 'openapi',
    permission: 'public',
    summary: 'This interface as an OpenAPI 3.1 document',
    status: 200,
    answer: z.looseObject({ openapi: z.literal('3.1.0') }),
  },
} as const satisfies Record<`${'GET' | 'POST' | 'PUT' | 'DELETE'} /api/${string}`, Route>;

export type Routes = typeof routes;
export type RouteKey = keyof Routes;
export type Group = Routes[RouteKey]['group'];
export type RoutesOf<G extends Group> = {
  [K in RouteKey]: Routes[K] extends { group: G } ? K : never;
}[RouteKey];

type Of<K extends RouteKey, Part extends string> =
  Routes[K] extends Record<Part, infer S extends z.ZodMiniType> ? S : undefined;
/** The declared shape as its reader gets it, and as its writer may write it. */
type Read<S> = S extends z.ZodMiniType ? z.output<S> : undefined;
type Written<S> = S extends z.ZodMiniType ? z.input<S> : undefined;

export type Body<K extends RouteKey> = Read<Of<K, 'body'>>;
export type Query<K extends RouteKey> = Read<Of<K, 'query'>>;
export type Answer<K extends RouteKey> = Read<Of<K, 'answer'>>;
export type BodyInput<K extends RouteKey> = Written<Of<K, 'body'>>;
export type QueryInput<K extends RouteKey> = Written<Of<K, 'query'>>;

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;
export type Params<K extends RouteKey> = Record<Names<K>, string>;
