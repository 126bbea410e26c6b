import { Text } from '@chakra-ui/react';
import { useState } from 'react';
import { SCOPE_TEXTS } from '#shared/scope-texts.ts';
import type { ApiToken } from '#shared/token.ts';
import { Button, TextLink } from '#web/components/button.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { Section } from '#web/components/section.tsx';
import { useDialog } from '#web/components/use-dialog.ts';
import { api } from '#web/lib/api.ts';
import { usePersonalData } from '#web/lib/data.ts';
import { countText, formatDate } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { toast } from '#web/lib/toasts.ts';

// Loaded on demand: the rest of the profile does not need the form library.
const NewTokenDialog = onDemand(() => import('./new-token-dialog.tsx'));

const dateOrNever = (instant: string | null) => (instant === null ? 'Never' : formatDate(instant));

const columns: Column<ApiToken>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ name, display_name, connected_in }) => (
      <>
        {display_name || name}
        {connected_in && (
          <Text color="fg.muted" fontWeight="normal">
            Assistant in {connected_in}
          </Text>
        )}
      </>
    ),
  },
  {
    key: 'scopes',
    header: 'Access',
    width: '200px',
    cell: ({ scopes }) => scopes.map(scope => SCOPE_TEXTS[scope].name).join(', '),
  },
  { key: 'created_at', header: 'Created', width: '140px', cell: ({ created_at }) => dateOrNever(created_at) },
  { key: 'expires_at', header: 'Expires', width: '140px', cell: ({ expires_at }) => dateOrNever(expires_at) },
  { key: 'last_used_at', header: 'Last Used', width: '140px', cell: row => dateOrNever(row.last_used_at) },
];

export function ApiTokens() {
  const { data, error, mutate } = usePersonalData('GET /api/tokens');
  const [deleting, setDeleting] = useState<ApiToken | 'all'>();
  const dialog = useDialog('token');
  const tokens = data?.tokens;

  const isAll = deleting === 'all';
  const assistant = !isAll && deleting?.connected_in ? deleting.display_name : undefined;
  const verb = assistant ? 'Disconnect' : 'Delete';

  async function remove(which: ApiToken | 'all') {
    if (which === 'all') await api('DELETE /api/tokens');
    else await api('DELETE /api/tokens/{id}', { params: { id: which.id } });
    await mutate();
    toast(
      which === 'all'
        ? 'All tokens deleted.'
        : `${assistant ? `${assistant} disconnected` : 'Token deleted'}.`,
    );
  }

  const create = <Button onClick={dialog.open}>Create token</Button>;
  return (
    <Section
      title="API Tokens"
      note={
        <>
          For programs that call the public API in your name, and the assistants that you connected. The{' '}
          <TextLink to={paths.apiReference()}>API reference</TextLink> has its calls.
        </>
      }
      actions={
        tokens &&
        tokens.length > 0 && (
          <span>
            <Button variant="ghost" onClick={() => setDeleting('all')}>
              Delete all
            </Button>{' '}
            {create}
          </span>
        )
      }
    >
      <DataTable
        label="API Tokens"
        columns={columns}
        rows={tokens}
        rowKey={({ id }) => id}
        rowName={({ name, connected_in, display_name }) => (connected_in ? display_name : name)}
        count={countText(tokens?.length, 'token')}
        problem={error}
        failure="Failed to load tokens"
        loading="Loading tokens..."
        onRetry={mutate}
        expected={1}
        empty={
          <EmptyState
            title="No API tokens created yet."
            cause="Create one for each program."
            action={create}
          />
        }
        actions={token => [
          {
            id: 'delete',
            label: token.connected_in ? 'Disconnect' : 'Delete',
            danger: true,
            run: () => setDeleting(token),
          },
        ]}
      />
      {dialog.isOpen && (
        <NewTokenDialog
          taken={(tokens ?? []).map(({ name }) => name)}
          onCreated={() => mutate()}
          onClose={dialog.close}
        />
      )}
      {deleting && (
        <ConfirmDialog
          title={`Are you sure you want to ${verb.toLowerCase()} ${isAll ? 'all tokens' : (assistant ?? 'this token')}?`}
          confirm={isAll ? 'Delete all' : verb}
          loadingText={assistant ? 'Disconnecting...' : 'Deleting...'}
          failure={`Failed to ${verb.toLowerCase()} ${isAll ? 'tokens' : (assistant ?? 'token')}`}
          onConfirm={() => remove(deleting)}
          onClose={() => setDeleting(undefined)}
        >
          {isAll
            ? 'Programs and assistants that use them lose'
            : assistant
              ? 'It loses'
              : `Programs that use ${deleting.name} lose`}{' '}
          access at once.
        </ConfirmDialog>
      )}
    </Section>
  );
}
