import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import type { PersonExportPage } from '#shared/export.ts';
import type { ListMember } from '#shared/list-member.ts';
import { MenuButton } from '#web/components/menu.tsx';
import { onDemand } from '#web/components/on-demand.tsx';
import { usePersonExport } from '#web/entities/recipient/person-export.ts';
import { useMay } from '#web/lib/organization.ts';
import { serverMessageOr } from '#web/lib/problem.ts';
import { toast } from '#web/lib/toasts.ts';

const ErasePerson = onDemand(() => import('#web/entities/recipient/erase-person.tsx'));

type Props = { member: ListMember | undefined; onErased: () => unknown };

/** Actions for all stored data of a member, in all lists. */
export function PersonalDataMenu({ member, onErased }: Props) {
  const may = useMay();
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
    run: () =>
      void run(
        async () => setErasing(await load(email)),
        'Failed to load what is stored about this person. Please try again',
      ),
  };
  return (
    <>
      <MenuButton
        variant="ghost"
        aria-label="More actions"
        disabled={!member}
        loading={isRunning}
        items={[
          {
            id: 'export',
            label: 'Export data',
            run: () =>
              void run(
                () => save(email),
                'Failed to export what is stored about this person. Please try again',
              ),
          },
          ...(may('recipients:erase') ? [erase] : []),
        ]}
      >
        <Ellipsis aria-hidden />
      </MenuButton>
      {erasing && <ErasePerson person={erasing} onErased={onErased} onClose={() => setErasing(undefined)} />}
    </>
  );
}
