import { Box, Text } from '@chakra-ui/react';
import { type SubmitEvent, useState } from 'react';
import { PRODUCT } from '#shared/brand.ts';
import type { User } from '#shared/user.ts';
import { Actions } from '#web/components/actions.tsx';
import { Button } from '#web/components/button.tsx';
import { Checkbox } from '#web/components/checkbox.tsx';
import { Loading } from '#web/components/loading.tsx';
import { Modal } from '#web/components/modal.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { api } from '#web/lib/api.ts';
import { Problem } from '#web/lib/problem.ts';
import { useAction } from '#web/lib/use-action.ts';
import '#web/styles/legal-text.css';

const BothTexts = onDemand(
  () => import('./legal-text.tsx'),
  <Loading shape={['title', 'line', 'line', 'line']} />,
);

const NOT_TICKED = 'Please confirm that you have read the terms and conditions.';
const FAILED = 'An error occurred. Please try again.';

type Props = { onAccepted: (user: User) => void; onLogout: () => void };

/** A blocking dialog over the whole app until the user has accepted the terms. */
export default function TermsOverlay({ onAccepted, onLogout }: Props) {
  const [reading, setReading] = useState(false);
  return (
    <Modal title="Before you start" blocking width={reading ? '760px' : '520px'} onClose={() => undefined}>
      {reading ? (
        <Acceptance onBack={() => setReading(false)} onAccepted={onAccepted} />
      ) : (
        <>
          <Text mb="4" color="fg.muted" maxWidth="60ch">
            {PRODUCT} needs your agreement to its Terms and Conditions and its Privacy Policy. Please read
            them; you can accept them below the texts.
          </Text>
          <Actions>
            <Button variant="ghost" onClick={onLogout}>
              Logout
            </Button>
            <Button variant="solid" data-autofocus onClick={() => setReading(true)}>
              Read Terms and Conditions & Privacy Policy
            </Button>
          </Actions>
        </>
      )}
    </Modal>
  );
}

function Acceptance({ onBack, onAccepted }: { onBack: () => void; onAccepted: (user: User) => void }) {
  const [ticked, setTicked] = useState(false);
  const { run, isRunning, error } = useAction(async () => {
    if (!ticked) throw new Problem(NOT_TICKED);
    onAccepted(
      await api('POST /api/user/accept-terms').catch(() => {
        throw new Problem(FAILED);
      }),
    );
  });

  function accept(event: SubmitEvent) {
    event.preventDefault();
    void run();
  }

  return (
    <form onSubmit={accept}>
      <Box
        data-autofocus
        role="region"
        aria-label="Terms and Conditions and Privacy Policy"
        tabIndex={0}
        height="min(52vh, 560px)"
        overflowY="auto"
        px="4"
        py="3"
        mb="4"
        borderWidth="1px"
        borderRadius="md"
        bg="bg.subtle"
      >
        <BothTexts />
      </Box>
      <Checkbox checked={ticked} onChange={setTicked}>
        I have read and agree to the Terms and Conditions and Privacy Policy
      </Checkbox>
      <Actions error={error}>
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" variant="solid" loading={isRunning} loadingText="Processing...">
          Accept and Continue
        </Button>
      </Actions>
    </form>
  );
}
