import { Box } from '@chakra-ui/react';
import { Shuffle } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Preview, PreviewMember } from '#shared/automation.ts';
import type { AutomationOption } from '#shared/automation-link.ts';
import { Actions } from '#web/components/actions.tsx';
import { Button } from '#web/components/button.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Modal } from '#web/components/modal.tsx';
import { useOrganizationCall } from '#web/lib/data.ts';
import { Problem } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';
import { useAction } from '#web/lib/use-action.ts';
import { EmailViews, Sender } from './email-views.tsx';
import { MemberPicker, previewMembers } from './member-picker.tsx';

type Props = { automation: AutomationOption; onClose: () => void };

export default function PreviewDialog({ automation, onClose }: Props) {
  const [member, setMember] = useState<PreviewMember>();
  const { preview, generating, sending } = usePreview(automation.id, member?.id);
  return (
    <Modal title={`Email Preview: ${automation.name}`} width="720px" onClose={onClose}>
      <MemberPicker
        of={automation.id}
        find={previewMembers(automation.id)}
        chosen={member}
        onChoose={setMember}
      />
      <Actions error={generating.error ?? sending.error} direction="row-reverse" mt="0" mb="4">
        <Button
          loading={generating.isRunning}
          loadingText="Generating..."
          onClick={() => void generating.run()}
        >
          <Shuffle aria-hidden />
          {member ? 'Generate Preview' : 'Generate Random Preview'}
        </Button>
        <Button
          right="content:edit"
          disabled={!preview}
          loading={sending.isRunning || generating.isRunning}
          loadingText={sending.isRunning ? 'Sending...' : 'Send test email to me'}
          onClick={() => preview && void sending.run(preview)}
        >
          Send test email to me
        </Button>
      </Actions>
      <Box minHeight="320px" aria-busy={generating.isRunning}>
        {preview ? (
          <Email preview={preview} />
        ) : (
          generating.isRunning && <Loading shape={[64, 32, 32, 320]} />
        )}
      </Box>
      <Actions>
        <Button onClick={onClose}>Close</Button>
      </Actions>
    </Modal>
  );
}

const ANYBODY = 'anybody';

function usePreview(automation: string, member: string | undefined) {
  const call = useOrganizationCall();
  const [preview, setPreview] = useState<Preview>();
  const [closed] = useState(() => new AbortController());
  const { signal } = closed;
  const shownFor = useRef<string>(undefined);
  const params = { automation };

  const generating = useAction(
    async () => {
      shownFor.current = member ?? ANYBODY;
      sending.clearError();
      const get = () =>
        call('GET /api/automations/{automation}/preview', {
          params,
          query: { use_templates: 'true', ...(member && { member }) },
          signal,
          isRefusalExpected: true,
        });
      const next = await generatePreview(get, signal).catch(problem => {
        setPreview(undefined);
        throw problem;
      });
      setPreview(next);
    },
    { failure: PREVIEW_FAILED },
  );

  const sending = useAction(async ({ seed }: Preview) => {
    generating.clearError();
    const body = { seed, use_templates: true, ...(member && { member }) };
    const { sent_to } = await call('POST /api/automations/{automation}/test-email', { params, body });
    toast(`A test email was sent to ${sent_to}.`, 'success', TOAST_DURATION);
  });

  const begin = useEffectEvent(() => void generating.run());
  // Also if a member was chosen while another preview was being generated.
  useEffect(() => {
    if (!generating.isRunning && shownFor.current !== (member ?? ANYBODY)) begin();
  }, [member, generating.isRunning]);
  useEffect(() => () => closed.abort(), [closed]);

  return { preview, generating, sending };
}

const TOAST_DURATION = 4000;

function Email({ preview: { html, plaintext, sender } }: { preview: Preview }) {
  const from = <Sender name={sender.name || sender.list_name} email={sender.email} />;
  return <EmailViews html={html} text={plaintext} sender={from} subject={plaintext.split('\n')[0] ?? ''} />;
}

const MOST_ATTEMPTS = 50;
const PAUSE = 200;
const FAILED = 'Could not generate a preview';

export const PREVIEW_FAILED =
  'Failed to generate email preview. Please make sure you have at least one active template.';

/** Generates a preview. Retries if the response has none; a refusal is final. */
export async function generatePreview(
  get: () => Promise<Preview>,
  signal: AbortSignal,
  pause = PAUSE,
): Promise<Preview> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    if (attempt > 1) await new Promise(resolve => setTimeout(resolve, pause));
    signal.throwIfAborted();
    try {
      const preview = await get();
      if (preview.plaintext && !preview.plaintext.includes(FAILED)) return preview;
    } catch (problem) {
      if (!isWorthRepeating(problem)) throw problem;
    }
  }
  throw new Problem(PREVIEW_FAILED);
}

/** Only server errors are worth a retry: without responses, fifty timeouts would take minutes. */
const isWorthRepeating = (problem: unknown) => problem instanceof Problem && (problem.status ?? 0) >= 500;
