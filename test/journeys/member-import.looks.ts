import type { Look } from '../support/browser/look.ts';
import { press } from '../support/browser/page.ts';

const FILE = 'email,Ends on,Plan\nann@example.com,01/02/2030,basic\nnobody,05/06/2030,pro\n';

export const looks: Look[] = [
  {
    name: 'the import of a file',
    path: ({ list }) => `/email-lists/${list}/import`,
    async until(page) {
      const buffer = Buffer.from(FILE);
      await page.getByLabel('Choose a file').setInputFiles({ name: 'p.csv', mimeType: 'text/csv', buffer });
      await page.getByLabel('How they agreed to get emails').fill('Sign-up form');
      await press(page, 'Check the file');
      await page.getByRole('button', { name: 'Import 1 row' }).waitFor();
    },
  },
];
