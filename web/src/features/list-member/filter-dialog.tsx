import { useRef, useState } from 'react';
import { type Audience, audienceFault } from '#shared/audience.ts';
import { Actions } from '#web/components/actions.tsx';
import { Button } from '#web/components/button.tsx';
import { Modal } from '#web/components/modal.tsx';
import Conditions from '#web/entities/audience/conditions.tsx';

type Props = {
  list: string;
  initial: Audience | null;
  onFilter: (audience: Audience | null) => void;
  onClose: () => void;
};

export default function FilterDialog({ list, initial, onFilter, onClose }: Props) {
  // Undefined until something is entered.
  const [audience, setAudience] = useState<Audience | null | undefined>(initial ?? undefined);
  const [isRefused, setRefused] = useState(false);
  const conditions = useRef<{ focus: () => void }>(null);

  function filter() {
    if (audience === undefined || (audience && audienceFault(audience))) {
      setRefused(true);
      conditions.current?.focus();
      return;
    }
    onFilter(audience);
    onClose();
  }

  return (
    <Modal title="Filter members" onClose={onClose} width="720px">
      <Conditions
        lists={[list]}
        initial={initial}
        isFilter
        onChange={setAudience}
        isRefused={isRefused}
        focusRef={conditions}
      />
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="solid" onClick={filter}>
          Show members
        </Button>
      </Actions>
    </Modal>
  );
}
