// Bundles the extension into dist/, with the licences of what is in the bundle; or tests.
//
//   node build.mjs                           the extension
//   node build.mjs --tests OUT FILE.ts…      each FILE as OUT/FILE.cjs
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const shared = { bundle: true, platform: 'node', format: 'cjs', logLevel: 'warning' };

// The text of the licence of each package that inputs of the bundle come from.
function licences(inputs) {
  const packages = new Set();
  for (const input of inputs) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    if (folder !== undefined && existsSync(`${folder}/package.json`)) packages.add(folder);
  }
  return [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    const text = file === undefined ? '' : readFileSync(`${folder}/${file}`, 'utf8');
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
}

const [kind, out, ...files] = process.argv.slice(2);
if (kind === '--tests') {
  await build({
    ...shared,
    target: 'node20',
    entryPoints: files,
    outdir: out,
    outExtension: { '.js': '.cjs' },
    external: ['playwright-core', 'vscode'],
    sourcemap: 'inline',
  });
} else {
  const { metafile } = await build({
    ...shared,
    target: 'node18',
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    external: ['vscode'],
    minify: true,
    legalComments: 'none',
    metafile: true,
  });
  writeFileSync('dist/third_party.txt', licences(Object.keys(metafile.inputs)).join(`\n${'-'.repeat(80)}\n\n`));
}
