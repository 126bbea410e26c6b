import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import sections from '#docs/help.md';
import { LONGEST_SEARCH } from '#shared/limits.ts';
import { useAutomations, useSequences } from '../entities/automation/automation.tsx';
import { useLists } from '../entities/list/list.ts';
import { sendingText, useOrganizations } from '../features/organization/use-organizations.ts';
import { commandOf, paletteQuery, useCommands } from '../lib/commands.ts';
import { useOrganizationCall, useOrganizationData } from '../lib/data.ts';
import type { HelpText } from '../lib/help.ts';
import { useMay } from '../lib/organization.ts';
import { dialogPath, paths } from '../lib/paths.ts';
import { token } from '../lib/session.ts';
import { useDebounced } from '../lib/timers.ts';

/** What the command palette finds by name, and creates. Loaded when it opens. */
export default function PaletteCommands() {
  return (
    <>
      <ListCommands />
      <AutomationCommands />
      <BroadcastCommands />
      <ContentCommands />
      <MemberCommands />
      <HelpCommands />
      {token() && <OrganizationCommands />}
    </>
  );
}

const LISTS = 'Email lists';

function ListCommands() {
  const may = useMay();
  const navigate = useNavigate();
  const { data: lists = [] } = useLists();
  useCommands([
    ...lists.map(({ id, name, domain }) =>
      commandOf(LISTS, name, domain, () => navigate(paths.list(id)), id),
    ),
    ...(may('lists:edit')
      ? [commandOf(LISTS, 'Create list', 'new add', () => navigate(paths.newList()), 'new')]
      : []),
  ]);
  return null;
}

const AUTOMATIONS = 'Automations';
const namesOf = (named: { name: string }[]) => named.map(({ name }) => name).join(' ');

function AutomationCommands() {
  const may = useMay();
  const navigate = useNavigate();
  const { data: automations = [] } = useAutomations();
  const { data: sequences = [] } = useSequences();
  useCommands([
    ...automations
      .filter(({ sequence_id }) => sequence_id === null)
      .map(({ id, name, email_lists }) =>
        commandOf(AUTOMATIONS, name, namesOf(email_lists), () => navigate(paths.automation(id)), id),
      ),
    // Found by the names of its steps too, which its page has.
    ...sequences.map(({ id, name, steps, email_lists }) =>
      commandOf(
        AUTOMATIONS,
        name,
        `sequence ${namesOf(steps)} ${namesOf(email_lists)}`,
        () => navigate(paths.sequence(id)),
        id,
      ),
    ),
    ...(may('automations:edit')
      ? [
          commandOf(
            AUTOMATIONS,
            'New automation',
            'create add',
            () => navigate(paths.newAutomation()),
            'new',
          ),
          commandOf(
            AUTOMATIONS,
            'New sequence',
            'create add steps',
            () => navigate(paths.newSequence()),
            'steps',
          ),
        ]
      : []),
  ]);
  return null;
}

const BROADCASTS = 'Broadcasts';

/** The newest ones: the first page of them. */
function BroadcastCommands() {
  const may = useMay();
  const navigate = useNavigate();
  const { data: broadcasts = [] } = useOrganizationData('GET /api/broadcasts', { query: {} });
  useCommands([
    ...broadcasts.map(({ id, name, status }) =>
      commandOf(BROADCASTS, name, status, () => navigate(paths.broadcast(id)), id),
    ),
    ...(may('automations:edit')
      ? [commandOf(BROADCASTS, 'New broadcast', 'create send', () => navigate(paths.newBroadcast()), 'new')]
      : []),
  ]);
  return null;
}

const TEMPLATES = 'Email templates';
const MOST_TEMPLATES = 20;
const TEMPLATES_AFTER_MS = 200;

const NEW_CONTENT = [
  ['New email template', 'create add', paths.newEmailTemplate(), 'new'],
  ['New email asset', 'create add', paths.newEmailAsset(), 'new asset'],
  ['New asset set', 'create add email assets', paths.newAssetSet(), 'new set'],
] as const;

/** Commands that create content or open the templates that the server finds. */
function ContentCommands() {
  const may = useMay();
  const navigate = useNavigate();
  const search = useDebounced(paletteQuery.use().trim().slice(0, LONGEST_SEARCH), TEMPLATES_AFTER_MS);
  const { data: templates = [] } = useOrganizationData(
    'GET /api/email-templates',
    { query: { per_page: String(MOST_TEMPLATES), ...(search && { search }) } },
    { keepPreviousData: true },
  );
  useCommands([
    ...templates.map(({ id, name, subject_line }) =>
      commandOf(TEMPLATES, name, subject_line, () => navigate(paths.emailTemplate(id)), id),
    ),
    ...(may('content:edit') ? NEW_CONTENT : []).map(([label, words, to, id]) =>
      commandOf(TEMPLATES, label, words, () => navigate(to), id),
    ),
  ]);
  return null;
}

const MEMBERS_AFTER_MS = 300;
/** Fewer characters would match too many addresses. */
const SHORTEST = 3;
/** Each list is one request, so only the largest lists are searched. */
const MOST_LISTS = 5;
const MOST_OF_LIST = 5;

type Found = { id: string; email: string; list: string };

/** Finds members whose address begins with the text. */
function MemberCommands() {
  const navigate = useNavigate();
  const search = useDebounced(paletteQuery.use().trim().toLowerCase(), MEMBERS_AFTER_MS);
  const members = useMembersByAddress(search);
  useCommands(
    members.map(({ id, email, list }) =>
      commandOf('Members', email, list, () => navigate(paths.listMember(id)), id),
    ),
  );
  return null;
}

function useMembersByAddress(search: string): Found[] {
  const { data: lists } = useLists();
  const call = useOrganizationCall();
  const [found, setFound] = useState<Found[]>([]);

  useEffect(() => {
    setFound([]);
    if (search.length < SHORTEST || !lists) return;
    const stop = new AbortController();
    const searched = lists
      .filter(({ members_count }) => members_count > 0)
      .toSorted((a, b) => b.members_count - a.members_count)
      .slice(0, MOST_LISTS);
    for (const { id, name } of searched) {
      call('GET /api/email-lists/{list}/members', {
        params: { list: id },
        query: { search, per_page: MOST_OF_LIST },
        signal: stop.signal,
      })
        .then(({ data }) => {
          const begin = data.filter(({ email }) => email.startsWith(search));
          const more = begin.map(({ id, email }) => ({ id, email, list: name }));
          if (!stop.signal.aborted) setFound(known => [...known, ...more]);
        })
        // The palette shows its other results.
        .catch(() => undefined);
    }
    return () => stop.abort();
  }, [search, lists, call]);

  return found;
}

const wordsOf = (text: HelpText[]): string =>
  text.map(part => (typeof part === 'string' ? part : wordsOf(part.slice(1)))).join(' ');

/** Finds sections of the help by their words. */
function HelpCommands() {
  const navigate = useNavigate();
  useCommands(
    sections
      .filter(({ text }) => text.length > 0)
      .map(({ id, title, text }) =>
        commandOf('Help', title, wordsOf(text), () => navigate(`${paths.help()}#${id}`), id),
      ),
  );
  return null;
}

const ORGANIZATIONS = 'Organizations';

function OrganizationCommands() {
  const may = useMay();
  const { all = [], active, activate, create, setSending } = useOrganizations();
  const navigate = useNavigate();
  useCommands([
    ...(active && setSending
      ? [
          commandOf(ORGANIZATIONS, sendingText(active.active), 'stop start emails active', () =>
            setSending(!active.active),
          ),
        ]
      : []),
    ...all
      .filter(({ id }) => id !== active?.id)
      .map(({ id, name }) =>
        commandOf(ORGANIZATIONS, `Switch to ${name}`, 'organization', () => activate(id), id),
      ),
    ...(active && may('members:invite')
      ? [
          commandOf(ORGANIZATIONS, `Invite a member to ${active.name}`, 'new add user', () =>
            navigate(dialogPath('invite')),
          ),
        ]
      : []),
    commandOf(ORGANIZATIONS, 'Create organization', 'new', create),
  ]);
  return null;
}
