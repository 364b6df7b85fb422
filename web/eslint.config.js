import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config({ ignores: ["node_modules"] }, js.configs.recommended, ...tseslint.configs.recommended, {
  files: ["src/**/*.ts", "tests/**/*.ts"],
  rules: {
    eqeqeq: "error",
    "no-undef": "off",
    "prefer-const": "error",
    "@typescript-eslint/no-non-null-assertion": "off",
  },
});
