import { Box, Flex } from '@chakra-ui/react';
import { Shuffle } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Preview } from '../../../../shared/automation.ts';
import type { AutomationOption } from '../../../../shared/automation-link.ts';
import { Button } from '../../components/button.tsx';
import { Modal, ModalActions } from '../../components/modal.tsx';
import { ActionError } from '../../components/notice.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useOrganizationCall } from '../../lib/data.ts';
import { Problem, serverMessageOr } from '../../lib/problem.ts';
import { toast } from '../../lib/toasts.ts';
import { EmailViews } from './email-views.tsx';
import { generatePreview, PREVIEW_FAILED } from './generate-preview.ts';

type Props = { automation: AutomationOption; onClose: () => void };

export default function PreviewDialogContent({ automation, onClose }: Props) {
  const { preview, isGenerating, error, generate, sendTest, isSending } = usePreview(automation.id);
  return (
    <Modal title={`Email Preview: ${automation.name}`} width="720px" onClose={onClose}>
      <Flex wrap="wrap" gap="2" mb="3">
        <Button loading={isGenerating} loadingText="Generating..." onClick={() => void generate()}>
          <Shuffle aria-hidden />
          Generate Random Preview
        </Button>
        <Button
          disabled={!preview}
          loading={isSending || isGenerating}
          loadingText={isSending ? 'Sending...' : 'Send test email to me'}
          onClick={() => void sendTest()}
        >
          Send test email to me
        </Button>
      </Flex>
      <ActionError>{error}</ActionError>
      <Box minHeight="320px" mt="3" aria-busy={isGenerating}>
        {preview ? <Email preview={preview} /> : isGenerating && <Spinner />}
      </Box>
      <ModalActions>
        <Button onClick={onClose}>Close</Button>
      </ModalActions>
    </Modal>
  );
}

function usePreview(automation: string) {
  const call = useOrganizationCall();
  const [preview, setPreview] = useState<Preview>();
  const [isGenerating, setGenerating] = useState(false);
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<string>();
  const running = useRef<AbortController>(undefined);
  const params = { automation };

  async function generate() {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const get = () =>
      call('GET /api/automations/{automation}/preview', {
        params,
        query: { use_templates: 'true' },
        signal,
        isRefusalExpected: true,
      });
    setGenerating(true);
    setError(undefined);
    try {
      setPreview(await generatePreview(get, signal));
    } catch (problem) {
      if (signal.aborted) return;
      setPreview(undefined);
      setError(serverMessageOr(problem, PREVIEW_FAILED));
    }
    setGenerating(false);
  }

  const begin = useEffectEvent(() => void generate());
  useEffect(() => {
    begin();
    return () => running.current?.abort();
  }, []);

  async function sendTest() {
    if (!preview) return;
    setSending(true);
    setError(undefined);
    try {
      const body = { seed: preview.seed, use_templates: true };
      const { sent_to } = await call('POST /api/automations/{automation}/test-email', { params, body });
      toast(`A test email was sent to ${sent_to}.`, 'success', TOAST_DURATION);
    } catch (problem) {
      const fallback = problem instanceof Problem ? problem.message : TEST_FAILED;
      setError(serverMessageOr(problem, fallback));
    }
    setSending(false);
  }

  return { preview, isGenerating, isSending, error, generate, sendTest };
}

const TOAST_DURATION = 4000;
const TEST_FAILED = 'Failed to send the test email. Please try again.';

function Email({ preview: { html, plaintext, sender } }: { preview: Preview }) {
  const from = (
    <>
      <Box as="span" fontWeight="medium">
        {sender.name || sender.list_name}
      </Box>{' '}
      <Box as="span" color="fg.muted">
        {`<${sender.email}>`}
      </Box>
    </>
  );
  return <EmailViews html={html} text={plaintext} sender={from} subject={plaintext.split('\n')[0] ?? ''} />;
}
