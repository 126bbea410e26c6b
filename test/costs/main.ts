// npm run costs
import { page } from './page.ts';

console.log(await page());
