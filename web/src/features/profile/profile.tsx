import { type ReactNode, useState } from 'react';
import type { ActiveSession } from '#shared/user.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { Choices } from '#web/components/choices.tsx';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { type Column, DataTable } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Fact, Facts } from '#web/components/facts.tsx';
import { Page } from '#web/components/page.tsx';
import { Section } from '#web/components/section.tsx';
import { Status } from '#web/components/status.tsx';
import { api } from '#web/lib/api.ts';
import { usePersonalData } from '#web/lib/data.ts';
import { countText, formatDate, formatMoment } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { messageOf } from '#web/lib/problem.ts';
import { useUser } from '#web/lib/session.ts';
import { readStored, writeStored } from '#web/lib/storage.ts';
import { toast } from '#web/lib/toasts.ts';

type Props = {
  /** What a new user does next: the page has no other button like it. */
  next: ReactNode;
  /** The sections of other features. */
  children: ReactNode;
};

export function Profile({ next, children }: Props) {
  const { name, email } = useUser();
  return (
    <Page
      title="Profile"
      maxWidth="960px"
      actions={
        // Signing in leads to this page. The button leads on to the home page.
        <ButtonLink variant={next ? 'outline' : 'solid'} to={paths.home()}>
          Go to Home
        </ButtonLink>
      }
    >
      {next}
      <Section title="Your account">
        <Facts>
          <Fact name="Name">{name}</Fact>
          <Fact name="Email">{email}</Fact>
        </Facts>
      </Section>
      {children}
      <Appearance />
      <ActiveSessions />
    </Page>
  );
}

const STORED = 'theme';

/** The theme of the system unless another one is chosen. `web/public/theme.js` applies it when a page is loaded. */
const THEMES = { System: undefined, Light: 'light', Dark: 'dark' } as const;
type Theme = (typeof THEMES)[keyof typeof THEMES];

function readTheme(): Theme {
  const stored = readStored(STORED);
  return Object.values(THEMES).find(theme => theme === stored);
}

function chooseTheme(theme: Theme) {
  writeStored(STORED, theme);
  document.documentElement.style.colorScheme = theme ?? '';
}

function Appearance() {
  const [theme, setTheme] = useState(readTheme);
  return (
    <Section title="Appearance">
      <Choices
        label="Theme"
        choices={THEMES}
        value={theme}
        onChange={chosen => {
          chooseTheme(chosen);
          setTheme(chosen);
        }}
      />
    </Section>
  );
}

const columns: Column<ActiveSession>[] = [
  { key: 'device', header: 'Device', cell: ({ device }) => <span title={device}>{device}</span> },
  {
    key: 'last_used_at',
    header: 'Last active',
    width: '200px',
    cell: ({ current, last_used_at }) =>
      current ? <Status tone="usual">This browser</Status> : formatMoment(last_used_at),
  },
  {
    key: 'created_at',
    header: 'Signed in',
    width: '140px',
    cell: ({ created_at }) => formatDate(created_at),
  },
];

function ActiveSessions() {
  const { data, error, mutate } = usePersonalData('GET /api/user/sessions');
  const [asking, setAsking] = useState(false);
  const [ending, setEnding] = useState<string>();
  const others = data?.sessions.filter(({ current }) => !current) ?? [];

  async function endOthers() {
    await api('DELETE /api/user/sessions');
    await mutate();
    toast('Signed out everywhere else.');
  }

  async function end({ id, device }: ActiveSession) {
    setEnding(id);
    try {
      await api('DELETE /api/user/sessions/{id}', { params: { id } });
      await mutate();
      toast(`Signed out on ${device}.`);
    } catch (problem) {
      toast(messageOf(problem), 'error');
    } finally {
      setEnding(undefined);
    }
  }

  return (
    <Section
      title="Active sessions"
      note="Where you are signed in. A session ends after 30 days without use."
      actions={others.length > 0 && <Button onClick={() => setAsking(true)}>Sign out everywhere else</Button>}
    >
      <DataTable
        label="Active sessions"
        columns={columns}
        rows={data?.sessions}
        rowKey={({ id }) => id}
        rowName={({ device }) => device}
        count={countText(data?.sessions.length, 'session')}
        problem={error}
        onRetry={mutate}
        expected={2}
        empty={<EmptyState title="No active sessions" />}
        isChanging={({ id }) => id === ending}
        actions={session =>
          session.current ? [] : [{ id: 'end', label: 'Sign out', run: () => void end(session) }]
        }
      />
      {asking && (
        <ConfirmDialog
          title="Sign out everywhere else?"
          confirm="Sign out everywhere else"
          loadingText="Signing out..."
          onConfirm={endOthers}
          onClose={() => setAsking(false)}
        >
          {others.length === 1 ? `${others[0]?.device} needs` : `${others.length} other browsers need`} a new
          code to sign in again. This browser stays signed in.
        </ConfirmDialog>
      )}
    </Section>
  );
}
