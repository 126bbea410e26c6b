import { Grid } from '@chakra-ui/react';
import { useState } from 'react';
import { useLocation, useParams } from 'react-router';
import type { PersonExportPage } from '#shared/export.ts';
import type { ListMember } from '#shared/list-member.ts';
import { changed, entriesOf, type MetadataChange } from '#shared/metadata.ts';
import { SUPPRESSED } from '#shared/suppression.ts';
import { Button, ignoreDoubleClick, TextLink } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { CopyButton, copyText } from '#web/components/copy-button.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Notice } from '#web/components/notice.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Page } from '#web/components/page.tsx';
import { type PageAction, PageActions } from '#web/components/page-actions.tsx';
import { Section } from '#web/components/section.tsx';
import { entriesIn, metadataOf } from '#web/entities/list-member/metadata-value.ts';
import { usePersonExport } from '#web/entities/recipient/person-export.ts';
import { useLeaveMissing } from '#web/entities/use-leave-missing.ts';
import { useCachedData, useOrganizationChange, useOrganizationData } from '#web/lib/data.ts';
import { formatUtcDate } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { toast, toastUndoable } from '#web/lib/toasts.ts';
import { useNavigateFromHere } from '#web/lib/use-navigate-from-here.ts';
import { Activity } from './activity.tsx';
import { DeleteMembers } from './member-actions.tsx';
import { isFromList, SubscriptionStatus } from './member-columns.tsx';
import { MetadataTable } from './metadata-table.tsx';

const ErasePerson = onDemand(() => import('#web/entities/recipient/erase-person.tsx'));

/** On a wide screen, the membership and the metadata are beside the activity. */
const COLUMNS = {
  rowGap: '8',
  columnGap: '6',
  alignItems: 'start',
  gridTemplateColumns: 'minmax(0, 1fr)',
  css: {
    '&& > *': { minWidth: 0, mt: 0 },
    '@media (width >= 1180px)': {
      gridTemplateColumns: 'minmax(0, 1fr) 272px',
      gridTemplateRows: 'auto 1fr',
      '& > *': { gridColumn: 2 },
      '& > section:nth-of-type(2)': { gridColumn: 1, gridRow: '1 / span 2' },
    },
  },
} as const;

export function ListMemberPage() {
  const { listMember: id = '' } = useParams();
  const { member, update, subscribe, remove } = useListMember(id);
  const known = useKnownMember(id);
  const shown = member ?? known;
  const list = shown?.email_list;
  const leave = useLeaveFor(list?.id);
  const person = usePersonalDataActions(member, leave);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Page
      title={shown?.email ?? 'List member'}
      isLong
      actions={
        <>
          <PageActions
            items={[
              {
                id: 'delete',
                label: 'Delete',
                danger: true,
                right: 'list-members:edit',
                inMenu: true,
                disabled: !member,
                run: () => setDeleting(true),
              },
              copyAction('Copy ID', id),
              copyAction('Copy address', shown?.email),
              {
                id: 'subscription',
                label: '',
                right: 'list-members:edit',
                button: (
                  <SubscriptionButton
                    member={member}
                    isSubscribed={shown?.is_subscribed ?? true}
                    onChange={subscribe}
                  />
                ),
              },
              ...person.actions,
            ]}
          />
          {person.dialog}
          {isDeleting && member && (
            <DeleteMembers
              members={[member]}
              from={member.email_list.name}
              onDelete={async () => {
                await remove();
                toast(`${member.email} was deleted from ${member.email_list.name}.`);
                await leave();
              }}
              onClose={() => setDeleting(false)}
            />
          )}
        </>
      }
    >
      <Grid {...COLUMNS}>
        {shown ? (
          <Section title="Membership">
            <Facts>
              <Fact name="List">{list && <TextLink to={paths.list(list.id)}>{list.name}</TextLink>}</Fact>
              <Fact name="Status">
                <SubscriptionStatus {...shown} />
              </Fact>
              <Fact name="Added">{formatUtcDate(shown.created_at)}</Fact>
              <Fact name="Updated">{formatUtcDate(shown.updated_at)}</Fact>
            </Facts>
            {member?.suppression && (
              <Notice tone="warning" mt="4">
                <span id="suppressed">{SUPPRESSED[member.suppression]}</span>
              </Notice>
            )}
          </Section>
        ) : (
          // A long address or list name would move what is shown below it.
          <Loading shape={['title', 'line', 'line', 'line', 'line', 240]} />
        )}
        <Activity member={id} of={member} />
        {shown && <MetadataTable metadata={member?.metadata} update={metadata => update({ metadata })} />}
      </Grid>
    </Page>
  );
}

/** Leaves the page of a deleted member for their list: for that page of it from which the user has come, if any. */
function useLeaveFor(list: string | undefined) {
  const { navigate, isLeft } = useNavigateFromHere();
  const { state } = useLocation();
  return async () => {
    if (isLeft()) return;
    if (isFromList(state)) await navigate(-1);
    else await navigate(list === undefined ? paths.lists() : paths.list(list), { replace: true });
  };
}

const copyAction = (label: string, text: string | undefined): PageAction => ({
  id: label,
  label,
  disabled: !text,
  run: () => void copyText(text ?? ''),
  button: <CopyButton text={text} label={label} variant="ghost" />,
});

/** Actions for all stored data of a member, in all lists. */
function usePersonalDataActions(member: ListMember | undefined, onErased: () => unknown) {
  const { load, save } = usePersonExport();
  const [isRunning, setRunning] = useState(false);
  const [erasing, setErasing] = useState<PersonExportPage>();
  const email = member?.email ?? '';

  async function run(action: () => Promise<unknown>, failure: string) {
    setRunning(true);
    try {
      await action();
    } catch (problem) {
      toast(serverMessageOr(problem, failure), 'error');
    } finally {
      setRunning(false);
    }
  }

  const erase = {
    id: 'erase',
    label: 'Erase person…',
    group: 'danger',
    danger: true,
    right: 'recipients:erase' as const,
    run: () =>
      void run(
        async () => setErasing(await load(email)),
        'Failed to load what is stored about this person. Please try again',
      ),
  };
  const disabled = !member || isRunning;
  const actions: PageAction[] = [
    {
      id: 'export',
      label: 'Export data',
      inMenu: true,
      disabled,
      run: () =>
        void run(() => save(email), 'Failed to export what is stored about this person. Please try again'),
    },
    { ...erase, inMenu: true, disabled },
  ];
  const dialog = erasing && (
    <ErasePerson person={erasing} onErased={onErased} onClose={() => setErasing(undefined)} />
  );
  return { actions, dialog };
}

type SubscriptionProps = {
  member: ListMember | undefined;
  /** Known from the members table while the member is loading. */
  isSubscribed: boolean;
  onChange: (is_subscribed: boolean) => Promise<void>;
};

/** Unsubscribes at once, with Undo in a toast. Subscribing again asks for confirmation first. */
function SubscriptionButton({ member, isSubscribed, onChange }: SubscriptionProps) {
  const [asking, setAsking] = useState(false);
  const [changing, setChanging] = useState(false);
  const label = isSubscribed ? 'Unsubscribe' : 'Subscribe';
  const isSuppressed = !isSubscribed && !!member?.suppression;

  async function unsubscribe() {
    setChanging(true);
    await onChange(false);
    setChanging(false);
  }

  return (
    <>
      <Button
        right="list-members:edit"
        loading={changing}
        loadingText={label}
        disabled={!member || isSuppressed}
        aria-describedby={isSuppressed ? 'suppressed' : undefined}
        onClickCapture={ignoreDoubleClick}
        onClick={isSubscribed ? () => void unsubscribe() : () => setAsking(true)}
      >
        {label}
      </Button>
      {asking && member && (
        <ConfirmDialog
          title="Subscribe them again?"
          confirm="Subscribe"
          loadingText="Subscribing..."
          danger={false}
          onConfirm={() => onChange(true)}
          onClose={() => setAsking(false)}
        >
          {member.email} is unsubscribed. Subscribe them again only if they asked for it themselves.
        </ConfirmDialog>
      )}
    </>
  );
}

/** A member with their list, as the members table showed them, if the page was opened from there. */
function useKnownMember(id: string) {
  const { state } = useLocation();
  const { list = '', member } = isFromList(state) ? state : {};
  const email_list = useCachedData('GET /api/email-lists/{list}', { params: { list } });
  return member?.id === id ? { ...member, email_list } : undefined;
}

const ONE = 'GET /api/list-members/{listMember}';

function useListMember(id: string) {
  const input = { params: { listMember: id } };
  const response = useOrganizationData(ONE, input);
  const { data: member, mutate } = response;
  const change = useOrganizationChange();
  useLeaveMissing(paths.lists(), {
    route: ONE,
    input,
    response,
    noun: 'list member',
    missing: 'Member not found',
    failed: 'Failed to fetch member details',
  });

  /** An optimistic update, rolled back on failure: this one alone, as another may have been made meanwhile. */
  async function update(body: Change) {
    const before = member && changeBack(member, body);
    const answer = change('PUT /api/list-members/{listMember}', { params: { listMember: id }, body });
    try {
      await mutate(answer, {
        optimisticData: (_, shown) => updated(shown ?? member, body),
        rollbackOnError: false,
        revalidate: false,
      });
    } catch (problem) {
      await mutate(shown => shown && before && updated(shown, before), { revalidate: false });
      throw problem;
    }
    return answer;
  }

  async function subscribe(is_subscribed: boolean): Promise<void> {
    try {
      const { was_subscribed } = await update({ is_subscribed });
      const message = is_subscribed ? 'Subscribed.' : 'Unsubscribed.';
      if (was_subscribed === is_subscribed) toast(message);
      else toastUndoable({ message, undo: () => void subscribe(!is_subscribed) });
    } catch (problem) {
      toast(serverMessageOr(problem, 'Failed to update subscription status'), 'error');
    }
  }

  async function remove() {
    await change('DELETE /api/list-members/{listMember}', { params: { listMember: id } });
  }

  return { member, update, subscribe, remove };
}

type Change = { is_subscribed?: boolean; metadata?: MetadataChange };

function changeBack({ is_subscribed, metadata }: ListMember, change: Change): Change {
  const known = metadataOf(entriesIn(metadata));
  const values = Object.keys(change.metadata ?? {}).map(key => [key, known[key] ?? null]);
  return {
    ...(change.is_subscribed !== undefined && { is_subscribed }),
    ...(change.metadata && { metadata: Object.fromEntries(values) }),
  };
}

function updated(member: ListMember | undefined, body: Change) {
  if (!member) throw new Error('The member is not loaded yet.');
  const { is_subscribed = member.is_subscribed, metadata = {} } = body;
  return {
    ...member,
    is_subscribed,
    metadata: entriesOf(changed(metadataOf(entriesIn(member.metadata)), metadata)),
  };
}
