import { TextLink } from '#web/components/button.tsx';
import { Notice } from '#web/components/notice.tsx';
import { useOrganizationData } from '#web/lib/data.ts';
import { formatNumber } from '#web/lib/format.ts';
import { useMay } from '#web/lib/organization.ts';
import { paths } from '#web/lib/paths.ts';

export default function UnfinishedImport({ list }: { list: string }) {
  const may = useMay();
  const { data } = useOrganizationData('GET /api/email-lists/{list}/imports', { params: { list } });
  const unfinished = data?.find(({ state }) => state === 'running');
  if (!unfinished) return null;
  const { file_name, done_rows, total_rows } = unfinished;
  return (
    <Notice
      tone="info"
      mb="4"
      action={
        may('list-members:edit') && <TextLink to={paths.importMembers(list)}>Continue the import</TextLink>
      }
    >
      {formatNumber(done_rows)} of {formatNumber(total_rows)} rows of {file_name} are imported.
    </Notice>
  );
}
